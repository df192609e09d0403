// Where in the object store a file is.
import type { Media } from '#lib/operator.ts';

export type Bucket = Extract<Media, { kind: 's3' }>;

export interface Address {
  /** Of the bucket itself, asked this. */
  bucket(query: Query): URL;
  file(path: string, query?: Query): URL;
  /** As a copy names what it copies. */
  source(path: string): string;
  /** What comes before the path of every file, with a slash at its end unless it is empty. */
  readonly prefix: string;
  /** For people. */
  readonly host: string;
}

export type Query = Readonly<Record<string, string | number>>;

/** Everything that has a meaning in an address, and what signatures want encoded although addresses do not. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const encodedPath = (path: string): string => path.split('/').map(encoded).join('/');

const queryOf = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
    .join('&');

/** Buckets of Amazon have hosts of their own, everybody else's are folders; so is one with a dot, which no certificate fits. */
const hasOwnHost = ({ bucket, endpoint }: Bucket): boolean =>
  new URL(endpoint).hostname.endsWith('.amazonaws.com') && !bucket.includes('.');

export function addressOf(media: Bucket): Address {
  const { bucket, endpoint } = media;
  const { protocol, host, pathname } = new URL(endpoint);
  const base = pathname.replace(/\/$/, '');
  const root = hasOwnHost(media) ? `${protocol}//${bucket}.${host}${base}` : `${protocol}//${host}${base}/${bucket}`;
  const prefix = media.prefix === '' ? '' : `${media.prefix}/`;
  const at = (path: string, query: Query) => new URL(`${root}${path}?${queryOf(query)}`.replace(/\?$/, ''));
  return {
    bucket: (query) => at('/', query),
    file: (path, query = {}) => at(`/${encodedPath(prefix + path)}`, query),
    source: (path) => `/${bucket}/${encodedPath(prefix + path)}`,
    prefix,
    host,
  };
}
