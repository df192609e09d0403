// The schema dialect of this family of interfaces: draft 4 with a few keywords of its own, written with TypeBox so that
// one declaration gives the handler's types, the validation, the index descriptor and the OpenAPI document.
import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from 'typebox';

export type { Static, TProperties, TSchema } from 'typebox';

// The kinds of schemas are plain JSON under the types of TypeBox. Of TypeBox itself only types are used: loading the whole of it took a
// tenth of every start.

type Keywords = Readonly<Record<string, unknown>>;

const plain =
  <S extends TSchema>(type: string) =>
  (keywords: Keywords): S =>
    ({ type, ...keywords }) as TSchema as S;

const ofString = plain<TString>('string');
const ofInteger = plain<TInteger>('integer');
const ofNumber = plain<TNumber>('number');
const ofBoolean = plain<TBoolean>('boolean');
const ofNull = plain<TNull>('null');

const ofArray = <S extends TSchema>(items: S, keywords: Keywords): TArray<S> =>
  ({ type: 'array', items, ...keywords }) as TSchema as TArray<S>;

/** What is not optional of it has to be there. */
function ofObject<P extends TProperties>(properties: P, keywords: Keywords = {}): TObject<P> {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name]!));
  const some = required.length > 0 && { required };
  return { type: 'object', ...some, properties, ...keywords } as TSchema as TObject<P>;
}

/** Whatever the schema says, its values are of this type. */
const unsafe = <T>(schema: object): TUnsafe<T> => ({ ...schema }) as TSchema as TUnsafe<T>;

const mark = '~optional';

export const isOptional = (schema: object): boolean => mark in schema;

/** The same once more, marked where no JSON shows it. */
const optional = <S extends TSchema>(schema: S): TOptional<S> =>
  Object.defineProperty({ ...schema }, mark, { value: true }) as TSchema as TOptional<S>;

export type Context = 'view' | 'embed' | 'edit';

/** A schema as the compiler reads it: plain JSON. Only these keywords mean anything. */
export interface Schema {
  type?: string | readonly string[] | undefined;
  enum?: readonly unknown[] | undefined;
  default?: unknown;
  title?: string | undefined;
  description?: string | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: boolean | undefined;
  exclusiveMaximum?: boolean | undefined;
  multipleOf?: number | undefined;
  items?: Schema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;
  properties?: Record<string, Schema> | undefined;
  patternProperties?: Record<string, Schema> | undefined;
  additionalProperties?: boolean | Schema | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  required?: boolean | readonly string[] | undefined;
  oneOf?: readonly Schema[] | undefined;
  anyOf?: readonly Schema[] | undefined;
  context?: readonly Context[] | undefined;
  readonly?: boolean | undefined;
  /** What answers hold, where that is more than a request may say. */
  answered?: Schema | undefined;
  /** A record may lack it: what has nothing to say of it leaves it out. */
  omitted?: boolean | undefined;
  /** What the interface says of the argument, where it takes more than it says: clients read this, values are held to the rest. */
  published?: Schema | undefined;
  /** The argument's own check, after the schema is satisfied. It is given the coerced value and who asks. Not published. */
  check?: Check | undefined;
}

export interface Asker {
  readonly id: number;
  can(capability: string): boolean;
}

/** `undefined` is fine, `false` refuses without a reason, an object refuses with one. */
export type Check = (
  value: never,
  asker: Asker,
) => undefined | false | { code: string; message: string; data?: Record<string, unknown> | null };

type Options = Omit<Schema, 'type' | 'properties' | 'items' | 'oneOf' | 'anyOf' | 'enum' | 'required'>;
type Plain<T> = TUnsafe<T>;

/** Free keywords are typed loosely by TypeBox; ours are exact, so they pass through here once. */
const loose = (options: Options): Record<string, unknown> => options as Record<string, unknown>;

/** One of these strings. */
const choice = <const V extends string>(values: readonly V[], options: Options = {}): Plain<V> =>
  unsafe<V>({ type: 'string', enum: [...values], ...loose(options) });

/** A value or null. */
const nullable = <S extends TSchema>(schema: S, options: Options = {}): Plain<Static<S> | null> =>
  unsafe<Static<S> | null>({ ...schema, type: [(schema as Schema).type as string, 'null'], ...loose(options) });

/** Exactly one alternative must match. */
const oneOf = <const S extends readonly TSchema[]>(
  schemas: S,
  options: Options & { type?: string | string[] } = {},
): Plain<Static<S[number]>> => unsafe<Static<S[number]>>({ oneOf: schemas, ...loose(options) });

/** The first alternative that matches counts. */
const anyOf = <const S extends readonly TSchema[]>(
  schemas: S,
  options: Options & { type?: string | string[] } = {},
): Plain<Static<S[number]>> => unsafe<Static<S[number]>>({ anyOf: schemas, ...loose(options) });

/** An object whose keys are free and whose values are alike. */
const map = <S extends TSchema>(values: S, options: Options = {}): Plain<Record<string, Static<S>>> =>
  unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values, ...loose(options) });

/** One or several: a single value counts as a list of one. */
const listOrOne = <S extends TSchema>(items: S): Plain<Static<S> | Static<S>[]> =>
  unsafe<Static<S> | Static<S>[]>({ type: [(items as Schema).type as string, 'array'], items });

/** An object with these members, or a single value in its place. */
const objectOr = <S extends TSchema, P extends TProperties>(one: S, properties: P, options: Options = {}) =>
  unsafe<Static<S> | Static<ReturnType<typeof ofObject<P>>>>({
    ...ofObject(properties, loose(options)),
    ...one,
    type: [(one as Schema).type as string, 'object'],
  });

/** An object of any shape. */
const free = (options: Options = {}): Plain<Record<string, unknown>> =>
  unsafe<Record<string, unknown>>({ type: 'object', ...loose(options) });

/** No type is published, and any value passes unchanged. */
const untyped = (options: Options = {}): Plain<unknown> => unsafe<unknown>(loose(options));

/** Takes what `taken` says, and is published as `published`: for arguments of which clients know less than they may send. */
const publishedAs = <S extends TSchema>(published: TSchema, taken: S): S =>
  Object.assign(taken, { published: published as Schema });

/** Answers hold more than requests may say: a status that nobody can give, null where nothing is known. */
const answeredAs = <S extends TSchema>(answered: Schema, taken: S): S => Object.assign(taken, { answered });

/** Members that only some have, all or none of them: who reads their values may find any missing. */
const includedIf = <P extends TProperties>(
  isIncluded: boolean,
  members: P,
): { readonly [K in keyof P]: ReturnType<typeof optional<P[K]>> } => (isIncluded ? members : {}) as never;

/** Members whose names only the running program knows: no type lists them. */
const unlisted = (members: TProperties): object => members;

/** An object that answers show as `[]` while it is empty, as clients are used to. */
const listWhenEmpty = <S extends TSchema>(object: S): S => {
  const { context: _, readonly: __, description: ___, ...shown } = ((object as Schema).published ?? object) as Schema;
  return answeredAs({ anyOf: [shown, { type: 'array', maxItems: 0 }] }, object);
};

/** The service sets it; a request cannot. Left out of the arguments of writing routes. */
export interface Fixed {
  readonly: true;
}
const fixed = <S extends TSchema>(schema: S): S & Fixed => Object.assign(schema, { readonly: true as const });

export const t = {
  string: (options: Options = {}) => ofString(loose(options)),
  integer: (options: Options = {}) => ofInteger(loose(options)),
  number: (options: Options = {}) => ofNumber(loose(options)),
  boolean: (options: Options = {}) => ofBoolean(loose(options)),
  null: (options: Options = {}) => ofNull(loose(options)),
  list: <S extends TSchema>(items: S, options: Options = {}) => ofArray(items, loose(options)),
  object: <P extends TProperties>(properties: P, options: Options = {}) => ofObject(properties, loose(options)),
  optional,
  choice,
  nullable,
  oneOf,
  anyOf,
  map,
  listOrOne,
  objectOr,
  free,
  untyped,
  publishedAs,
  answeredAs,
  includedIf,
  unlisted,
  listWhenEmpty,
  fixed,
};

/** The arguments several routes take, said once. */
const contexts = ['view', 'embed', 'edit'] as const;
export const context = () =>
  choice(contexts, { default: 'view', description: 'Which fields the answer has: `view`, `embed` or `edit`.' });
export const page = () => t.integer({ default: 1, minimum: 1, description: 'Number of the page of the list, from 1.' });
export const perPage = () =>
  t.integer({ default: 10, minimum: 1, maximum: 100, description: 'Number of items on a page.' });
