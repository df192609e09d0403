// What is stored of a request, so that rules can be tried on it later: its method, its path, the names of its parameters, and of each value
// its size and a keyed hash. Names and values of secrets are not stored.
import { repeatedValues } from '#kernel/args/query.ts';
import { Problem } from '#kernel/problem.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import { isSecret, redactedText } from '../../../logs/redacted.ts';
import type { Asked } from '../engine/asked.ts';
import { isContainer, isRecord, textOf } from '../engine/subject.ts';
import { createView, type View } from '../engine/view.ts';

/** In a map, names may be missing: those that look like secrets, or any. */
export const missing = { none: 0, secrets: 1, any: 2 } as const;
type Missing = (typeof missing)[keyof typeof missing];

export type Shape =
  | { readonly v: string | number | boolean | null }
  /** A text of this size, with the beginning that is known. */
  | { readonly size: number; readonly hash: string; readonly begins?: string }
  | { readonly type: 'number' | 'boolean'; readonly hash: string }
  | {
      readonly map: Readonly<Record<string, Shape>>;
      readonly missing: Missing;
      /** Other values of names that came several times. */
      readonly repeated?: readonly (readonly [name: string, value: Shape])[];
    }
  | { readonly list: readonly Shape[]; readonly missing: Missing };

export type MapShape = Extract<Shape, { map: unknown }>;

export interface RequestShape {
  readonly method: string;
  readonly path: string;
  readonly server: MapShape;
  readonly get?: MapShape | undefined;
  readonly cookie?: MapShape | undefined;
  post?: MapShape | undefined;
  files?: MapShape | undefined;
  /** The form and its files were not seen, or are left out. */
  isFormMissing?: true | undefined;
  raw?: Shape | undefined;
  isRawMissing?: true | undefined;
  rest?: MapShape | undefined;
  /** Roles of the user; empty for visitors; undefined if the request ended before the user was known. */
  roles?: readonly string[] | undefined;
}

export const emptyMap: MapShape = { map: {}, missing: missing.none };
export const unknownMap: MapShape = { map: {}, missing: missing.any };

const longestName = 64;
const longestValue = 512;
const most = { names: 60, items: 30, depth: 6 };

/** A name that is long or random may be a value itself. */
export const isHiddenName = (name: string): boolean => name.length > longestName || isSecret(name) || isToken(name);

/** Long, with digits and letters, and no word of a path. */
const isToken = (text: string): boolean =>
  text.length >= 20 && /^[A-Za-z0-9_+=]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);

export interface ShapeOptions {
  readonly hash: KeyedHash;
  /** Whether values are stored as well, except those that look like secrets. */
  readonly withValues: boolean;
}

/** Enough to tell values apart. */
export const shortHash = (hash: KeyedHash, text: string): string => hash(text).slice(0, 16);

export function shapeOfRequest(asked: Asked, options: ShapeOptions): RequestShape {
  const view = createView(asked);
  const path = asked.url.split('?', 1)[0]!;
  return {
    method: asked.method,
    path: shownPath(path),
    server: serverShape(view.source('server') as Record<string, unknown>, asked.url, options),
    get: sourceShape(view, 'get', options),
    // Of cookies, no value is stored.
    cookie: sourceShape(view, 'cookie', { ...options, withValues: false }),
  };
}

/** Of one that cannot be read, nothing is known. */
function sourceShape(
  view: View,
  source: 'get' | 'cookie' | 'post' | 'files',
  options: ShapeOptions,
): MapShape | undefined {
  try {
    const value = view.source(source);
    return value === undefined ? undefined : mapShape(value as object, options);
  } catch (error) {
    if (error instanceof Problem) return unknownMap;
    throw error;
  }
}

/** Whatever of its body is known. */
export function addBody(
  shape: RequestShape,
  asked: Pick<Asked, 'form' | 'files' | 'rawBody'>,
  options: ShapeOptions,
): void {
  const view = createView({ ...nowhere, ...asked });
  shape.post = sourceShape(view, 'post', options);
  shape.files = sourceShape(view, 'files', options);
  shape.isFormMissing = undefined;
  if (asked.rawBody === undefined) return;
  const raw = view.source('raw');
  shape.raw = raw === undefined ? undefined : shapeOf(raw, options);
  shape.isRawMissing = undefined;
}

/** A request of which nothing is known. */
export const nowhere: Asked = {
  method: 'GET',
  url: '/',
  headers: {},
  address: '',
  peer: '',
  port: 0,
  secure: false,
  serverName: '',
  serverPort: 0,
  siteHost: '',
  protocol: '',
  time: 0,
};

const shownPath = (path: string): string =>
  redactedText(path)
    .split('/')
    .map((step) => (isToken(step) ? '[hidden]' : step))
    .join('/')
    .slice(0, longestValue);

/** They say nothing about whoever sent the request. */
const plainNames = new Set([
  'REQUEST_METHOD',
  'SERVER_NAME',
  'SERVER_PORT',
  'SERVER_PROTOCOL',
  'HTTPS',
  'REQUEST_TIME',
]);

function serverShape(server: Record<string, unknown>, url: string, options: ShapeOptions): MapShape {
  const { map, ...rest } = mapShape(server, options);
  const own = Object.entries(server).flatMap(([name, value]) =>
    plainNames.has(name) ? [[name, { v: value as string | number }] as const] : [],
  );
  return {
    ...rest,
    map: { ...map, ...Object.fromEntries(own), REQUEST_URI: urlShape(url, options), ...queryShape(url, options) },
  };
}

function urlShape(url: string, options: ShapeOptions): Shape {
  const [path = '', ...query] = url.split('?');
  const isShown = shownPath(path) === path;
  if (isShown && query.length === 0) return { v: path };
  const shape = textShape(url, options);
  return 'size' in shape && isShown ? { ...shape, begins: `${path}?` } : shape;
}

const queryShape = (url: string, options: ShapeOptions): Record<string, Shape> => ({
  QUERY_STRING: url.includes('?') ? textShape(url.slice(url.indexOf('?') + 1), options) : { v: '' },
});

/** A text that is stored as it is holds nothing that looks like a secret. */
function textShape(text: string, { hash, withValues }: ShapeOptions): Shape {
  if (text === '') return { v: '' };
  const isStored = withValues && text.length <= longestValue && redactedText(text) === text && !isToken(text);
  return isStored ? { v: text } : { size: text.length, hash: shortHash(hash, text) };
}

export const mapShape = (value: object, options: ShapeOptions): MapShape => mapAt(value, options, 0);

function mapAt(value: object, options: ShapeOptions, depth: number): MapShape {
  const map: Record<string, Shape> = {};
  let absent: Missing = missing.none;
  let count = 0;
  for (const [name, one] of Object.entries(value)) {
    if (one === undefined) continue;
    if (isHiddenName(name)) absent = Math.max(absent, missing.secrets) as Missing;
    else if (count >= most.names) absent = missing.any;
    else map[name] = shapeAt(one, options, depth + 1);
    count += 1;
  }
  const repeated = repeatedValues(value)
    .filter(([name]) => !isHiddenName(name))
    .slice(0, most.items)
    .map(([name, text]) => [name, textShape(text, options)] as const);
  return { map, missing: absent, ...(repeated.length > 0 && { repeated }) };
}

export const shapeOf = (value: unknown, options: ShapeOptions): Shape => shapeAt(value, options, 0);

function shapeAt(value: unknown, options: ShapeOptions, depth: number): Shape {
  if (typeof value === 'string') return textShape(value, options);
  if (typeof value === 'number' || typeof value === 'boolean') {
    if (options.withValues) return { v: value };
    return { type: typeof value as 'number' | 'boolean', hash: shortHash(options.hash, textOf(value)) };
  }
  if (!isContainer(value)) return { v: null };
  const isDeep = depth >= most.depth;
  if (isRecord(value)) return isDeep ? unknownMap : mapAt(value, options, depth);
  const items = (value as unknown[]).slice(0, isDeep ? 0 : most.items);
  return {
    list: items.map((one) => shapeAt(one, options, depth + 1)),
    missing: items.length < (value as unknown[]).length ? missing.any : missing.none,
  };
}

/** In bytes, of its JSON. */
const largest = 8 * 1024;

/** As it is stored. Of one that is too large, parts are left out. */
export function shapeText(shape: RequestShape): string {
  const without = [
    shape,
    {
      ...shape,
      raw: undefined,
      isRawMissing: true,
      post: undefined,
      isFormMissing: true,
      rest: shape.rest && unknownMap,
    },
    {
      method: shape.method,
      path: shape.path,
      server: unknownMap,
      get: shape.get && unknownMap,
      cookie: shape.cookie && unknownMap,
      rest: shape.rest && unknownMap,
      isRawMissing: true,
      isFormMissing: true,
      roles: shape.roles,
    },
  ];
  const texts = without.map((one) => () => JSON.stringify(one));
  for (const text of texts.slice(0, -1)) if (Buffer.byteLength(text()) <= largest) return text();
  return texts.at(-1)!();
}

/** `get.name`, for people. */
export const parametersOf = ({ get, post, raw, files }: RequestShape): string[] =>
  Object.entries({ get, post, raw, files })
    .flatMap(([source, shape]) =>
      shape !== undefined && 'map' in shape ? Object.keys(shape.map).map((name) => `${source}.${name}`) : [],
    )
    .slice(0, 30);
