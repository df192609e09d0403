// A reply of the kernel as bytes and headers, the same for whoever asks: what depends on the asker is added when it is sent.
import { hash } from 'node:crypto';
import type { Reply } from '../answer.ts';
import type { Face, Roots } from '../faces.ts';
import { writtenOut } from '../told.ts';
import { isCompressible } from './encoding.ts';
import { apiHeaders } from './headers.ts';
import type { PageAnswer } from './page.ts';

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
