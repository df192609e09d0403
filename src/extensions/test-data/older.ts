// From the dialect of OpenAPI 3.1 to that of 3.0, which knows one type at a time and has a word of its own for null.
import type { Json } from '#kernel/openapi/schema.ts';

export function older(schema: Json): Json {
  const { type, ...rest } = schema;
  const inner = { ...rest, ...ends(rest), ...within(rest) };
  if (!Array.isArray(type)) return type === undefined ? inner : { type, ...inner };
  const types = (type as string[]).filter((one) => one !== 'null');
  const nullable = types.length < type.length && { nullable: true };
  if (types.length === 1) return { type: types[0], ...inner, ...nullable };
  const { description, default: value, ...said } = inner as Json;
  const shared = { ...(description !== undefined && { description }), ...(value !== undefined && { default: value }) };
  return { ...shared, ...nullable, anyOf: types.map((one) => ({ type: one, ...fitting(one, said) })) };
}

/** Words of a schema that say something of one type alone. */
const own: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
};

function fitting(type: string, said: Json): Json {
  const others = Object.entries(own).flatMap(([name, words]) => (name === type ? [] : words));
  return Object.fromEntries(Object.entries(said).filter(([word]) => !others.includes(word)));
}

/** An end that does not count is a mark beside the end. */
const ends = ({ exclusiveMinimum: low, exclusiveMaximum: high }: Json): Json => ({
  ...(low !== undefined && { minimum: low, exclusiveMinimum: true }),
  ...(high !== undefined && { maximum: high, exclusiveMaximum: true }),
});

const each = (some: unknown): Json[] => (some as Json[]).map(older);

function within({ items, properties, additionalProperties: others, oneOf, anyOf }: Json): Json {
  return {
    ...(items !== undefined && { items: older(items as Json) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Json).map(([name, one]) => [name, older(one as Json)]),
      ),
    }),
    ...(typeof others === 'object' && { additionalProperties: older(others as Json) }),
    ...(oneOf !== undefined && { oneOf: each(oneOf) }),
    ...(anyOf !== undefined && { anyOf: each(anyOf) }),
  };
}
