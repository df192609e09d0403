// A request as conditions see it: each source is made when the first of them looks at it.
import { isUtf8 } from 'node:buffer';
import { cleanText, readJson } from '#kernel/args/json.ts';
import { mergedQueries, parseQuery } from '#kernel/args/query.ts';
import { type Asked, environmentOf, type Upload } from './asked.ts';
import type { SourceName } from './parameter.ts';
import { isContainer, isRecord, type Subject, subjectOf, urlDecoded } from './subject.ts';

export interface View {
  readonly asked: Asked;
  source(name: SourceName): unknown;
  /** The body as it was sent; also where `source` has read JSON in it. */
  body(): string;
  /** Of a file that came with this request, or of all of them; nothing for any other value. */
  contentsOf(value: object): Subject | undefined;
}

export function createView(asked: Asked): View {
  const made: Partial<Record<SourceName, unknown>> = {};
  let uploads: Uploads | undefined;
  let text: string | undefined;
  const view: View = {
    asked,
    source(name) {
      made[name] ??= makers[name](view);
      return made[name];
    },
    body() {
      text ??= unpacked(typeof asked.rawBody === 'string' ? asked.rawBody : (asked.rawBody?.toString('utf8') ?? ''));
      return text;
    },
    contentsOf(value) {
      uploads ??= subjectsOf(view.source('files') as Fields, asked.files ?? []);
      return uploads.get(value);
    },
  };
  return view;
}

const makers: Readonly<Record<SourceName, (view: View) => unknown>> = {
  get: ({ asked }) => queryOf(asked.url),
  post: ({ asked: { form } }) => (typeof form === 'string' ? parseQuery(form) : form),
  request: (view) => mergedQueries(view.source('get') as object, view.source('post') as object),
  cookie: ({ asked }) => cookiesOf(asked.headers.cookie),
  files: ({ asked }) => fieldsOf(asked.files ?? []),
  server: ({ asked }) => environmentOf(asked),
  raw: (view) => rawOf(view.body()),
  rest: ({ asked }) => asked.rest,
  write: ({ asked }) => asked.write,
  all: (view) => {
    const raw = view.source('raw');
    const [post = {}, get = {}] = [view.source('post'), view.source('get')];
    return { post, get, url: view.asked.url, raw: raw === undefined ? {} : { raw } };
  },
};

function queryOf(url: string): Record<string, unknown> | undefined {
  const mark = url.indexOf('?');
  return mark < 0 ? undefined : parseQuery(url.slice(mark + 1));
}

/** The first of each name counts, and one that is called just so before those that are made the name. */
function cookiesOf(header: Asked['headers'][string]): Record<string, string> | undefined {
  if (typeof header !== 'string') return undefined;
  const [named, made]: [Record<string, string>, Record<string, string>] = [Object.create(null), Object.create(null)];
  for (const pair of header.split(';')) {
    const split = pair.indexOf('=');
    const sent = pair.slice(0, Math.max(0, split)).trim();
    const name = sent.replace(/[. ]/g, '_');
    if (name !== '') (name === sent ? named : made)[name] ??= urlDecoded(pair.slice(split + 1).trim());
  }
  return Object.assign(made, named);
}

type Fields = Record<string, Record<string, unknown>>;
type Uploads = ReadonlyMap<object, Subject>;

const fieldOf = ({ field }: Upload): string => (field.endsWith('[]') ? field.slice(0, -2) : field);

/** What is said of the files, by field; of a field for several each of it is a list. */
function fieldsOf(files: readonly Upload[]): Fields | undefined {
  if (files.length === 0) return undefined;
  const fields: Fields = Object.create(null);
  for (const file of files) {
    const one = { name: file.name, type: file.type, tmp_name: '', error: 0, size: file.size };
    if (fieldOf(file) === file.field) fields[file.field] = one;
    else fields[fieldOf(file)] = withOne(fields[fieldOf(file)], one);
  }
  return fields;
}

const withOne = (said: Record<string, unknown> = {}, one: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, [said[name] ?? [], value].flat()]));

/** What is in the files of each field, and of all of them. */
function subjectsOf(fields: Fields | undefined, files: readonly Upload[]): Uploads {
  const joined = (some: readonly Upload[]): Subject =>
    subjectOf(some.map(({ contents }) => contents?.toString('utf8') ?? '').join(''));
  if (fields === undefined) return new Map();
  const each = Object.entries(fields).map(
    ([name, said]) => [said, joined(files.filter((file) => fieldOf(file) === name))] as const,
  );
  return new Map<object, Subject>([[fields, joined(files)], ...each]);
}

/** A JSON object or list where the body is one, also in base64, read as the interface reads it; else its text. */
function rawOf(body: string): unknown {
  if (body === '' || body === '0') return undefined;
  const text = body.replace(/^\ufeff/, '');
  if (!/^[ \t\n\r]*[[{]/.test(text)) return text;
  try {
    const value = documentIn(text);
    return isContainer(value) && Object.keys(value).length === 0 ? undefined : value;
  } catch {
    return text;
  }
}

/** With the one name that the interface leaves out, for rules that look for it. */
function documentIn(text: string): unknown {
  const value = readJson(Buffer.from(text));
  return text.includes('__proto__') ? JSON.parse(text, cleaned) : value;
}

function cleaned(_: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [cleanText(name), one]))
    : value;
}

function unpacked(text: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) && bytes.toString('base64') === text ? bytes.toString('utf8') : text;
}
