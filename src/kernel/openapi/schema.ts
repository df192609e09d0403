// From our dialect (draft 4 and a few keywords of its own) to JSON Schema 2020-12, which OpenAPI 3.1 speaks. What a request may
// send and what an answer holds are two schemas: a title is sent as text, and answered with what was rendered of it.
import { compile } from '#kernel/args/validate.ts';
import type { Context, Schema } from '#kernel/schema.ts';

export type Json = Record<string, unknown>;

/** Stands where any JSON value may, so that a generated client has a type for it. */
export const anyValue: Json = {
  description: 'Any JSON value.',
  type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
  items: {},
  additionalProperties: true,
};

export const anyValueRef: Json = { $ref: '#/components/schemas/AnyValue' };

/** What a request must look like. The members that only the service sets are left out. */
export function requestSchema(schema: Schema): Json {
  const taken = isTyped(schema) ? schema : { ...schema, ...schema.published };
  const usual = defaultOf(taken);
  return {
    ...translated(taken, requestSchema, writable, demandedOfRequest),
    ...(usual !== undefined && { default: usual }),
  };
}

/** What an answer holds, when it is a whole record in the context `view` or `edit`. */
export function answerSchema(schema: Schema): Json {
  const { published, answered, ...taken } = schema;
  const { oneOf: _, anyOf: __, type: ___, ...rest } = taken;
  const shown = published === undefined ? taken : { ...rest, ...published };
  const more = answered ?? published?.answered;
  const whole = more === undefined ? shown : { ...about(schema), ...more };
  return translated(whole, answerSchema, inSomeContext, demandedOfAnswer);
}

/** A record: every field that views and editors see is there, unless its schema says that it may be left out. */
export function recordSchema(fields: Readonly<Record<string, Schema>>): { properties: Json; required: string[] } {
  const shown = inSomeContext(fields);
  const used = new Set(Object.values(shown).flatMap(({ context }) => context ?? []));
  const whole = (['view', 'edit'] as const).filter((context) => used.has(context));
  const required = Object.keys(shown).filter((name) => isAlways(shown[name]!, whole));
  return { properties: mapped(shown, answerSchema), required };
}

const isTyped = ({ type, oneOf, anyOf, enum: values }: Schema): boolean =>
  [type, oneOf, anyOf, values].some((keyword) => keyword !== undefined);

type Members = Readonly<Record<string, Schema>>;
type Translate = (schema: Schema) => Json;
type Choose = (members: Members) => Members;
type Demanded = (schema: Schema, members: Members) => string[];

const only = (members: Members, isWanted: (member: Schema) => boolean): Members =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => isWanted(member)));

const writable: Choose = (members) => only(members, ({ readonly }) => readonly !== true);

const inSomeContext: Choose = (members) => only(members, ({ context }) => context?.length !== 0);

const isAlways = ({ context, omitted }: Schema, whole: readonly Context[] = ['view', 'edit']): boolean =>
  omitted !== true && (context === undefined || whole.every((one) => context.includes(one)));

const listed = ({ required, properties = {} }: Schema): string[] =>
  Array.isArray(required)
    ? [...required]
    : Object.keys(properties).filter((name) => properties[name]?.required === true);

/** Nobody has to send what has a default. */
const demandedOfRequest: Demanded = (schema, members) =>
  listed(schema).filter((name) => members[name] !== undefined && members[name].default === undefined);

const demandedOfAnswer: Demanded = (schema, members) =>
  listed(schema).filter((name) => members[name] !== undefined && isAlways(members[name]));

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

function translated(schema: Schema, translate: Translate, choose: Choose, demanded: Demanded): Json {
  const { pattern } = schema;
  const portable = pattern === undefined ? undefined : portablePattern(pattern);
  const said = {
    ...Object.fromEntries(unchanged.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(schema.enum !== undefined && { enum: enumOf(schema, schema.enum) }),
    ...(portable !== undefined && { pattern: portable }),
    ...bounds(schema),
  };
  const { oneOf, anyOf } = schema;
  const types = typesOf(schema);
  if (oneOf) return { ...said, [overlap(oneOf) ? 'anyOf' : 'oneOf']: oneOf.map(translate) };
  if (anyOf) return { ...said, anyOf: anyOf.map(translate) };
  if (types.length === 0) return { ...said, ...anyValueRef };
  const apart = partsOf(schema, types);
  if (apart.length > 1) return { ...about(schema), anyOf: apart.map(translate) };
  return {
    type: types.length === 1 ? types[0] : types,
    ...said,
    ...(types.includes('array') && { items: schema.items === undefined ? anyValueRef : translate(schema.items) }),
    ...(types.includes('object') && objectOf(schema, translate, choose, demanded)),
  };
}

function objectOf(schema: Schema, translate: Translate, choose: Choose, demanded: Demanded): Json {
  const { properties, patternProperties, additionalProperties: others } = schema;
  const members = choose(properties ?? {});
  const required = demanded(schema, members);
  const isFree = Object.keys(members).length === 0 && patternProperties === undefined && others === undefined;
  return {
    ...(properties && { properties: mapped(members, translate) }),
    ...(required.length > 0 && { required }),
    ...(patternProperties && { patternProperties: portableKeys(mapped(patternProperties, translate)) }),
    ...(isFree && { additionalProperties: true }),
    ...(others !== undefined && { additionalProperties: typeof others === 'boolean' ? others : translate(others) }),
  };
}

const mapped = (schemas: Members, translate: Translate): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translate(schema)]));

/** Each once; where a schema names its values instead, those of the values. */
function typesOf({ type, enum: values, properties, items }: Schema): string[] {
  if (type !== undefined) return [...new Set([type].flat())];
  if (values !== undefined) return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return properties !== undefined ? ['object'] : items !== undefined ? ['array'] : [];
}

/** A value or what holds values: generators of clients make better types of two schemas than of one with two types. */
function partsOf(schema: Schema, types: readonly string[]): Schema[] {
  if (schema.properties === undefined && schema.items === undefined) return [];
  const {
    title: _,
    description: __,
    context: ___,
    readonly: ____,
    default: _____,
    published: ______,
    ...rest
  } = schema;
  const { items, properties, required, additionalProperties, patternProperties, ...plain } = rest;
  const values = types.filter((type) => type !== 'object' && type !== 'array');
  if (values.every((type) => type === 'null') && types.length === values.length + 1) return [];
  return [
    ...(values.length > 0 ? [{ ...plain, type: values }] : []),
    ...(types.includes('object')
      ? [{ properties, required, additionalProperties, patternProperties, type: 'object' }]
      : []),
    ...(types.includes('array') ? [{ items, type: 'array' }] : []),
  ].map((part) => part as Schema);
}

const about = ({ title, description }: Schema): Json => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
});

/** Strict readers want alternatives of which one value can only fit one. */
function overlap(branches: readonly Schema[]): boolean {
  const types = branches.flatMap((branch) => typesOf(branch));
  return new Set(types).size < types.length;
}

const bounds = ({ minimum: low, maximum: high, exclusiveMinimum, exclusiveMaximum }: Schema): Json => ({
  ...(low !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: low }),
  ...(high !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: high }),
});

/** With us a type list that has `null` lets null pass whatever the enum says. */
const enumOf = ({ type }: Schema, values: readonly unknown[]): unknown[] =>
  Array.isArray(type) && type.includes('null') && !values.includes(null) ? [...values, null] : [...values];

/** As it is after it was read: `publish` as the default of a list is the list of this one. Nothing for one that nobody may send. */
function defaultOf(schema: Schema): unknown {
  const { type, default: value } = schema;
  if (value === undefined) return undefined;
  if (type === 'object' && Array.isArray(value) && value.length === 0) return {};
  const settler = compile(schema);
  if (settler.check(value, '') !== undefined) return undefined;
  return type === 'array' ? settler.coerce(value) : value;
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
