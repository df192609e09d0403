// A schema as programs of others read it: no more than the keywords that everybody knows.
import type { Schema } from '#kernel/schema.ts';

type Document = Record<string, unknown>;

const all = (schemas: Readonly<Record<string, Schema>>): Record<string, Document> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, documentOf(schema)]));

/** Nobody has to send what has a default. */
const demanded = ({ required, properties = {} }: Schema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => properties[name]?.default === undefined) : [];

export function documentOf(schema: Schema): Document {
  const { items, properties, patternProperties, additionalProperties, oneOf, anyOf, ...rest } = schema;
  const { context: _, readonly: _fixed, published: _told, check: _own, required: _names, ...plain } = rest;
  const names = demanded(schema);
  return {
    ...plain,
    ...(items && { items: documentOf(items) }),
    ...(properties && { properties: all(properties) }),
    ...(patternProperties && { patternProperties: all(patternProperties) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? documentOf(additionalProperties) : additionalProperties,
    }),
    ...(names.length > 0 && { required: names }),
    ...(oneOf && { oneOf: oneOf.map(documentOf) }),
    ...(anyOf && { anyOf: anyOf.map(documentOf) }),
  };
}
