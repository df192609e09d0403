// A request as conditions see it: each source is made when the first of them looks at it.
import { isUtf8 } from 'node:buffer';
import { parseQuery } from '#kernel/args/query.ts';
import type { SourceName } from './parameter.ts';
import { type Subject, subjectOf } from './subject.ts';
import { isContainer, urlDecoded } from './texts.ts';

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
  /** The host of this site, without a port. */
  readonly siteHost: string;
}

export interface View {
  readonly siteHost: string;
  source(name: SourceName): unknown;
  /** One of `server`, without the others. */
  server(name: string): string | number | undefined;
  /** Of a file that came with this request, or of all of them; nothing for any other value. */
  contentsOf(value: object): Subject | undefined;
}

export function createView(asked: Asked): View {
  const made = new Map<SourceName, unknown>();
  const uploads = new Map<object, string[]>();
  const contents = new Map<object, Subject>();
  const source = (name: SourceName): unknown => {
    if (made.has(name)) return made.get(name);
    const value = makers[name]();
    made.set(name, value);
    return value;
  };
  const makers: Record<SourceName, () => unknown> = {
    get: () => queryOf(asked.url),
    post: () => (typeof asked.form === 'string' ? parseQuery(asked.form) : (asked.form ?? {})),
    request: () => ({ ...(source('get') as object), ...(source('post') as object) }),
    cookie: () => cookiesOf(asked.headers.cookie),
    files: () => filesOf(asked.files ?? [], uploads),
    server: () => environmentOf(asked),
    raw: () => rawOf(asked.rawBody),
    rest: () => asked.rest,
    all: () => {
      const raw = source('raw');
      return { post: source('post'), get: source('get'), url: asked.url, raw: raw === undefined ? {} : { raw } };
    },
  };
  return {
    siteHost: asked.siteHost,
    source,
    server: (name) => (Object.hasOwn(environment, name) ? environment[name]!(asked) : headerOf(asked, name)),
    contentsOf(value) {
      const texts = uploads.get(value);
      if (texts !== undefined && !contents.has(value)) contents.set(value, subjectOf(texts.join('')));
      return contents.get(value);
    },
  };
}

function queryOf(url: string): Record<string, unknown> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : parseQuery(url.slice(mark + 1));
}

/** The first of each name counts. */
function cookiesOf(header: Asked['headers'][string]): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const pair of typeof header === 'string' ? header.split(';') : []) {
    const split = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, split)).trim().replace(/[. ]/g, '_');
    if (name !== '') cookies[name] ??= urlDecoded(pair.slice(split + 1).trim());
  }
  return cookies;
}

const environment: Readonly<Record<string, (asked: Asked) => string | number | undefined>> = {
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

const said = (header: Asked['headers'][string]): string | undefined =>
  typeof header === 'object' ? header.join(', ') : header;

/** What proves who somebody is: no rule sees it. */
const secret = new Set(['authorization', 'proxy-authorization']);

function headerOf({ headers }: Asked, name: string): string | undefined {
  if (!name.startsWith('HTTP_') || name !== name.toUpperCase()) return undefined;
  const header = name.slice(5).toLowerCase().replaceAll('_', '-');
  return secret.has(header) || !Object.hasOwn(headers, header) ? undefined : said(headers[header]);
}

const nameOf = (header: string): string => `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;

function environmentOf(asked: Asked): Record<string, unknown> {
  const known = Object.entries(environment).map(([name, tell]) => [name, tell(asked)] as const);
  const sent = Object.entries(asked.headers).filter(([name]) => !secret.has(name));
  const headers = sent.map(([name, value]) => [nameOf(name), said(value)] as const);
  return Object.fromEntries([...headers, ...known].filter(([, value]) => value !== undefined));
}

/** By field; each with where its contents are found. */
function filesOf(files: readonly Upload[], uploads: Map<object, string[]>): Record<string, unknown> {
  const fields: Record<string, Record<string, unknown>> = Object.create(null);
  const texts: string[] = [];
  for (const file of files) {
    const isOne = !file.field.endsWith('[]');
    const field = isOne ? file.field : file.field.slice(0, -2);
    const entry = { name: file.name, type: file.type, tmp_name: '', error: 0, size: file.size };
    const known = isOne ? undefined : fields[field];
    const one = known ?? (isOne ? entry : { name: [], type: [], tmp_name: [], error: [], size: [] });
    if (!isOne)
      for (const [name, value] of Object.entries(entry)) (one as Record<string, unknown[]>)[name]!.push(value);
    fields[field] = one;
    const text = file.contents?.toString('utf8') ?? '';
    texts.push(text);
    uploads.set(one, [...((known && uploads.get(known)) ?? []), text]);
  }
  if (files.length > 0) uploads.set(fields, texts);
  return fields;
}

/** A JSON object or list where the body is one, also in base64; else its text. */
function rawOf(body: Asked['rawBody']): unknown {
  const sent = typeof body === 'string' ? body : (body?.toString('utf8') ?? '');
  if (sent === '' || sent === '0') return undefined;
  const text = unpacked(sent);
  if (!/^[ \t\n\r]*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isContainer(value) && Object.keys(value).length === 0 ? undefined : value;
  } catch {
    return text;
  }
}

function unpacked(text: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) && bytes.toString('base64') === text ? bytes.toString('utf8') : text;
}
