// The headers of answers: those every one carries, and those that depend on who asks from where.
import type { Reply } from '../answer.ts';
import type { Face, Roots } from '../faces.ts';

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
