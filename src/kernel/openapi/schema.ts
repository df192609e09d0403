// From our dialect (draft 4 and a few keywords of its own) to JSON Schema 2020-12, which OpenAPI 3.1 speaks.
import type { Schema } from '#kernel/schema.ts';

export type Json = Record<string, unknown>;

/** What a request must look like. */
export const requestSchema = (schema: Schema): Json => ({
  ...described(schema, requestSchema),
  ...(schema.default !== undefined && { default: defaultOf(schema) }),
  ...requiredOf(schema),
});

/** What an answer looks like. Nothing in it is certain: `_fields` and `context` leave members out. */
const responseSchema = (schema: Schema): Json => described(schema, responseSchema);

/** The members of a record, those that no context shows left out. */
export const recordMembers = (fields: Readonly<Record<string, Schema>>): Json =>
  mapped(Object.fromEntries(Object.entries(fields).filter(([, { context }]) => context?.length !== 0)), responseSchema);

const unchanged = [
  'title',
  'description',
  'format',
  'minLength',
  'maxLength',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const satisfies readonly (keyof Schema)[];

type Translate = (schema: Schema) => Json;

function described(schema: Schema, translate: Translate): Json {
  const { type, readonly, pattern } = schema;
  const portable = pattern === undefined ? undefined : portablePattern(pattern);
  return {
    ...(type !== undefined && { type: typeof type === 'string' ? type : [...type] }),
    ...Object.fromEntries(unchanged.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(schema.enum !== undefined && { enum: enumOf(schema, schema.enum) }),
    ...(portable !== undefined && { pattern: portable }),
    ...bounds(schema),
    ...(readonly && { readOnly: true }),
    ...inner(schema, translate),
  };
}

function inner(schema: Schema, translate: Translate): Json {
  const { items, properties, patternProperties, additionalProperties: others, oneOf, anyOf } = schema;
  return {
    ...(items && { items: translate(items) }),
    ...(properties && {
      properties: translate === responseSchema ? recordMembers(properties) : mapped(properties, translate),
    }),
    ...(patternProperties && { patternProperties: portableKeys(mapped(patternProperties, translate)) }),
    ...(others !== undefined && { additionalProperties: typeof others === 'boolean' ? others : translate(others) }),
    ...(oneOf && { oneOf: oneOf.map(translate) }),
    ...(anyOf && { anyOf: anyOf.map(translate) }),
  };
}

const mapped = (schemas: Readonly<Record<string, Schema>>, translate: Translate): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translate(schema)]));

const bounds = ({ minimum: low, maximum: high, exclusiveMinimum, exclusiveMaximum }: Schema): Json => ({
  ...(low !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: low }),
  ...(high !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: high }),
});

/** With us a type list that has `null` lets null pass whatever the enum says. */
const enumOf = ({ type }: Schema, values: readonly unknown[]): unknown[] =>
  Array.isArray(type) && type.includes('null') && !values.includes(null) ? [...values, null] : [...values];

/** `[]` as the default of an object means an empty object. */
const defaultOf = ({ type, default: value }: Schema): unknown =>
  type === 'object' && Array.isArray(value) && value.length === 0 ? {} : value;

/** Nobody has to send what has a default or is fixed. */
function requiredOf({ required, properties = {} }: Schema): Json {
  const demanded = Array.isArray(required)
    ? required
    : Object.keys(properties).filter((name) => properties[name]?.required === true);
  const names = demanded.filter((name) => properties[name]?.default === undefined && !properties[name]?.readonly);
  return names.length === 0 ? {} : { required: names };
}

const portableKeys = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([pattern, schema]) => [portablePattern(pattern) ?? '', schema]));

/** A pattern as strict readers accept it, or undefined where there is no such spelling. */
export function portablePattern(pattern: string): string | undefined {
  const spellings = [
    pattern,
    pattern.replace(/\\(.)/gs, (whole, character) => (needless(character) ? character : whole)),
  ];
  return spellings.find(isStrict);
}

const needless = (character: string): boolean => !/[a-zA-Z\d^$\\.*+?()[\]{}|/-]/.test(character);

function isStrict(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
}
