// What `server` says of a request: how it came here, and the headers it came with.
import type { Asked } from './asked.ts';

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
