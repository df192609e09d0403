// The kinds of schemas that routes are declared with, plain JSON under the types of TypeBox. Of TypeBox itself only types are used:
// loading the whole of it took a tenth of every start.
import type {
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

type Keywords = Readonly<Record<string, unknown>>;

const plain =
  <S extends TSchema>(type: string) =>
  (keywords: Keywords): S =>
    ({ type, ...keywords }) as TSchema as S;

export const ofString = plain<TString>('string');
export const ofInteger = plain<TInteger>('integer');
export const ofNumber = plain<TNumber>('number');
export const ofBoolean = plain<TBoolean>('boolean');
export const ofNull = plain<TNull>('null');

export const ofArray = <S extends TSchema>(items: S, keywords: Keywords): TArray<S> =>
  ({ type: 'array', items, ...keywords }) as TSchema as TArray<S>;

/** What is not optional of it has to be there. */
export function ofObject<P extends TProperties>(properties: P, keywords: Keywords = {}): TObject<P> {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name]!));
  const some = required.length > 0 && { required };
  return { type: 'object', ...some, properties, ...keywords } as TSchema as TObject<P>;
}

/** Whatever the schema says, its values are of this type. */
export const unsafe = <T>(schema: object): TUnsafe<T> => ({ ...schema }) as TSchema as TUnsafe<T>;

const mark = '~optional';

export const isOptional = (schema: object): boolean => mark in schema;

/** The same once more, marked where no JSON shows it. */
export function optional<S extends TSchema>(schema: S): TOptional<S> {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  return Object.defineProperty(copy, mark, { value: true }) as TOptional<S>;
}
