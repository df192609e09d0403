// What is known of a request before anybody looks at it.
// `server` holds how the request came here, and its headers.

/** A file that came with the request, and as much of what is in it as was read. */
export interface Upload {
  /** The field it came in; `name[]` for one of several. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly contents?: Buffer | undefined;
}

/** What is known of a request. */
export interface Asked {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the client, however it came here. */
  readonly address: string;
  /** Of whoever opened the connection. */
  readonly peer: string;
  readonly port: number;
  readonly secure: boolean;
  readonly serverName: string;
  readonly serverPort: number;
  readonly protocol: string;
  /** In milliseconds. */
  readonly time: number;
  /** As urlencoded text, or read already. */
  readonly form?: string | Readonly<Record<string, unknown>> | undefined;
  readonly files?: readonly Upload[] | undefined;
  readonly rawBody?: Buffer | string | undefined;
  readonly rest?: { readonly route: string; readonly method: string; readonly params: object } | undefined;
  /** What is about to be written for it. */
  readonly write?: Writing | undefined;
  /** The host of this site, without a port. */
  readonly siteHost: string;
}

/** A change that a request is about to make: of what kind of record, and whether one is made, changed or deleted. */
export interface Writing {
  readonly record: string;
  readonly action: 'create' | 'change' | 'delete';
}

/** One of it. */
export type Reader = (asked: Asked) => string | number | undefined;

const known: Readonly<Record<string, Reader>> = {
  REQUEST_METHOD: ({ method }) => method,
  REQUEST_URI: ({ url }) => url,
  QUERY_STRING: ({ url }) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
  REMOTE_ADDR: ({ peer }) => peer,
  REMOTE_PORT: ({ port }) => String(port),
  SERVER_NAME: ({ serverName }) => serverName,
  SERVER_PORT: ({ serverPort }) => String(serverPort),
  SERVER_PROTOCOL: ({ protocol }) => protocol,
  HTTPS: ({ secure }) => (secure ? 'on' : undefined),
  CONTENT_TYPE: ({ headers }) => said(headers['content-type']),
  CONTENT_LENGTH: ({ headers }) => said(headers['content-length']),
  REQUEST_TIME: ({ time }) => Math.floor(time / 1000),
  ip: ({ address }) => address,
};

type Header = Asked['headers'][string];

const said = (header: Header): string | undefined => (typeof header === 'object' ? header.join(', ') : header);

/** What proves who somebody is: no rule sees it. */
const secret = new Set(['authorization', 'proxy-authorization']);

const nameOf = (header: string): string => `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;

/** Nothing for a name that no request has. */
export function readerOf(name: string): Reader | undefined {
  if (Object.hasOwn(known, name)) return known[name];
  const header = name.slice(5).toLowerCase().replaceAll('_', '-');
  if (name !== nameOf(header) || secret.has(header) || header in {}) return undefined;
  return ({ headers }) => said(headers[header]);
}

export function environmentOf(asked: Asked): Record<string, unknown> {
  const own = Object.entries(known).map(([name, read]) => [name, read(asked)] as const);
  const sent = Object.entries(asked.headers).filter(([name]) => !secret.has(name));
  const headers = sent.map(([name, value]) => [nameOf(name), said(value)] as const);
  return Object.fromEntries([...headers, ...own].filter(([, value]) => value !== undefined));
}
