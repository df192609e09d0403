// Requests made up from what the index says of a route, sent as they are.
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import type { Asked } from './ask.ts';
import { argument, nastyJson, nastyText } from './nasty.ts';
import { samplePath } from './sample.ts';

export const roles = [undefined, 'subscriber', 'administrator'] as const;

export interface AskedAs extends Asked {
  /** Who asks. */
  readonly role?: string | undefined;
  readonly body: string | Uint8Array;
}

export const percent = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');

/** Arguments in brackets, as queries and forms say them. */
function pairs(name: string, value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => pairs(`${name}[${key}]`, member));
  return [`${percent(name)}=${percent(String(value))}`];
}

const written = (args: Record<string, unknown>): string =>
  Object.entries(args)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&');

const boundary = 'between';

/** The arguments as the parts of a form, as a browser sends it, and each also as a file. */
function inParts(args: Record<string, unknown>): Buffer {
  const part = ([name, value]: [string, unknown], file: string): string => {
    const head = `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${file}`;
    const type = file && '\r\nContent-Type: text/plain';
    return `--${boundary}\r\n${head}${type}\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`;
  };
  const entries = Object.entries(args);
  const parts = entries.flatMap((entry) => [part(entry, ''), part(entry, '; filename="a.txt"')]);
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
}

const cut = (bytes: Buffer, whole: number): Buffer => bytes.subarray(0, Math.ceil(bytes.length * whole));

export const shortest = (query: string): string => query.slice(0, 7_000).replace(/%.?$/, '');

export interface Attempt {
  readonly args: Record<string, unknown>;
  readonly extra: Record<string, unknown>;
  readonly reserved: Record<string, unknown>;
  readonly place: 'query' | 'json' | 'form' | 'multipart' | 'document';
  /** How much of a body of parts is sent; what is missing was cut off. */
  readonly whole: number;
  readonly document: unknown;
  readonly role: (typeof roles)[number];
  /** What the path names; something that is there, without it. */
  readonly id: string | undefined;
}

/** Filled with what is there at this path, unless the attempt names something else. */
export type Paths = Readonly<Record<string, string>>;

export function requestFor(method: string, pattern: string, attempt: Attempt, there: Paths = {}): AskedAs {
  const { args, extra, reserved, place, whole, document, role, id } = attempt;
  const names = [...pattern.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name!);
  const values = id === undefined ? there : Object.fromEntries(names.map((name) => [name, percent(id)]));
  const path = samplePath(pattern, values);
  const all = { ...extra, ...args };
  const query = shortest([written(reserved), place === 'query' ? written(all) : ''].filter(Boolean).join('&'));
  const type = {
    json: 'application/json',
    form: 'application/x-www-form-urlencoded',
    multipart: `multipart/form-data; boundary=${boundary}`,
    document: 'application/json',
    query: '',
  };
  const body = {
    json: () => JSON.stringify(all),
    form: () => written(all),
    multipart: () => cut(inParts(all), whole),
    document: () => JSON.stringify(document),
    query: () => '',
  };
  return {
    role,
    method,
    path: `/api${path}${query && `?${query}`}`,
    headers: place === 'query' ? {} : { 'content-type': type[place] },
    body: body[place](),
  };
}

const reserved = fc.record(
  {
    _fields: fc.oneof(
      fc.constantFrom('id', 'id,_links', 'a.b.c', '_embedded', 'constructor.prototype'),
      nastyText,
      fc.array(nastyText),
    ),
    _embed: fc.oneof(fc.constantFrom('', '1', 'wp:replies'), nastyText),
    _envelope: fc.constantFrom('', '1'),
    _locale: nastyText,
    _pretty: nastyText,
    _method: fc.oneof(fc.constantFrom('GET', 'HEAD', 'options', 'DELETE', 'PATCH'), nastyText),
  },
  { requiredKeys: [] },
);

export const attempts = (args: Record<string, Schema>): fc.Arbitrary<Attempt> =>
  fc.record({
    args: fc.record(Object.fromEntries(Object.entries(args).map(([name, schema]) => [name, argument(schema)])), {
      requiredKeys: Object.keys(args).filter((name) => args[name]!.required === true),
    }),
    extra: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.dictionary(nastyText, nastyJson, { maxKeys: 3 }) },
    ),
    reserved: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: reserved }),
    place: fc.constantFrom('query', 'json', 'form', 'multipart', 'document'),
    whole: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    document: nastyJson,
    role: fc.constantFrom(...roles),
    id: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: nastyText.filter((text) => text !== '' && text.length < 100) },
    ),
  });
