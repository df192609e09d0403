// A reply of the kernel as bytes and headers, the same for whoever asks: what depends on the asker is added when it is sent.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply } from '../answer.ts';
import type { Face, Roots } from '../faces.ts';
import { writtenOut } from '../told.ts';
import type { PageAnswer } from './page.ts';

// Which compression an answer gets. Small bodies are sent as they are.

export type Encoding = 'br' | 'gzip' | 'identity';

const smallest = 1024;
const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
};

export const isCompressible = (length: number): boolean => length >= smallest;

/** The best of what the client accepts; one it refuses with `q=0` is not taken. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const text = header.toLowerCase();
  if (accepts(text, 'br')) return 'br';
  return accepts(text, 'gzip') ? 'gzip' : 'identity';
}

/** Whether a list such as that of `Accept-Encoding` names it, in lower case, and does not refuse it with `q=0`. */
export function accepts(header: string, name: string): boolean {
  if (!header.includes(name)) return false;
  return header.split(',').some((part) => {
    const [named, ...parameters] = part.split(';').map((text) => text.trim());
    return named === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'identity' ? Promise.resolve(bytes) : compressors[encoding](bytes);

// The headers of answers: those every one carries, and those that depend on who asks from where.

const json = 'application/json; charset=UTF-8';

/** On every answer of the interface. */
const always = {
  'Content-Type': json,
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-HTTP-Method-Override',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
} as const;

/** Answers to a known caller are nobody else's, on no shelf. */
export const unshared = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
} as const;

type HeaderList = Record<string, string | number>;

export function apiHeaders(reply: Reply, face: Face, roots: Roots, compressible: boolean): HeaderList {
  const headers: HeaderList = { ...always, Vary: compressible ? 'Origin, Accept-Encoding' : 'Origin' };
  if (reply.known) Object.assign(headers, unshared);
  headers.Link = `<${roots[face]}/>; rel="https://api.w.org/"`;
  return Object.assign(headers, reply.headers);
}

interface Sent {
  readonly head: readonly (string | number)[];
  readonly isPage?: true;
}

/** Added to this head for who asks from there: names and values in turn. Nothing where it says already who may read it. */
export const crossOrigin = (origin: string | undefined, { head, isPage }: Sent): (string | number)[] =>
  origin === undefined || isPage || head.includes('Access-Control-Allow-Origin')
    ? []
    : Object.entries(corsHeaders(origin) ?? {}).flat();

/** Origins of web pages are answered by name; `null` and foreign schemes are not. */
export function corsHeaders(origin: string | undefined): HeaderList | undefined {
  if (origin === undefined || !/^https?:\/\/[^\s/]+$/i.test(origin)) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
  };
}

export interface Composed {
  readonly status: number;
  /** Names and values in turn, as node:http takes them. */
  readonly head: readonly (string | number)[];
  readonly body: Buffer;
  readonly etag: string | undefined;
  readonly compressible: boolean;
  /** For people: no script of another site reads it. */
  readonly isPage?: true;
}

export interface Wanted {
  readonly face: Face;
  readonly roots: Roots;
  readonly pretty: boolean;
  /** An answer to a read may be asked for again with what the client already has. */
  readonly revalidates: boolean;
}

const spaces = 4;

export function compose(reply: Reply, { face, roots, pretty, revalidates }: Wanted): Composed {
  const written = pretty ? undefined : writtenOut(reply.body);
  const body = written?.json ?? Buffer.from(textOf(reply, pretty));
  const compressible = isCompressible(body.length);
  const mayRevalidate = revalidates && reply.status === 200 && !reply.known && !isUnkept(reply.headers);
  const etag = mayRevalidate ? `W/"${written?.tag ?? hash('sha1', body, 'base64url')}"` : undefined;
  const headers = apiHeaders(reply, face, roots, compressible);
  if (etag !== undefined) headers.ETag = etag;
  return { status: reply.status, head: Object.entries(headers).flat(), body, etag, compressible };
}

const pageVaries = 'Cookie';

/** A page of the public site; one that may be anybody's is asked for again with what the browser already has. */
export function composePage({ status, type, body: text, headers = {} }: PageAnswer, revalidates: boolean): Composed {
  const body = Buffer.from(text);
  const compressible = isCompressible(body.length);
  const etag = revalidates && status === 200 ? `W/"${hash('sha1', body, 'base64url')}"` : undefined;
  const named = {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    Vary: compressible ? `${pageVaries}, Accept-Encoding` : pageVaries,
    ...headers,
    ...(etag !== undefined && { ETag: etag }),
  };
  const head = Object.entries(named).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
  return { status, head, body, etag, compressible, isPage: true };
}

const isUnkept = (headers: Reply['headers']): boolean =>
  /no-store|private/.test(String(headers['Cache-Control'] ?? ''));

const textOf = ({ status, body }: Reply, pretty: boolean): string =>
  status === 204 ? '' : JSON.stringify(body, null, pretty ? spaces : undefined);

/** Whether any of the tags the client holds is this one; weak comparison. */
export function holds(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false;
  return header === etag || header.split(',').some((tag) => [etag, etag.slice(2), '*'].includes(tag.trim()));
}
