// What the interface says about its arguments and records: schemas as the index and OPTIONS print them.
import type { Schema, TProperties } from '../schema.ts';
import { isRequired } from './settle.ts';

type Descriptor = Record<string, unknown>;

/** Keywords that pass as they are, in the order they are printed. */
const plain = [
  'title',
  'description',
  'type',
  'enum',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'format',
] as const satisfies readonly (keyof Schema)[];

/** Whether a named member says that it must be there. */
type Demands = (parent: Schema, name: string, member: Schema) => boolean;

/** Records are described, not asked for; only what a schema spells out itself is printed. */
const spelledOut: Demands = (_parent, _name, member) => member.required === true;

/** A list of names on the object becomes `required: true` on each; nobody has to send what has a default or is fixed. */
const asked: Demands = (parent, name, member) =>
  spelledOut(parent, name, member) ||
  (Array.isArray(parent.required) &&
    parent.required.includes(name) &&
    member.default === undefined &&
    member.readonly !== true);

function published(taken: Schema, demands: Demands): Descriptor {
  const schema = taken.published ?? taken;
  const out: Descriptor = {};
  for (const keyword of plain) if (schema[keyword] !== undefined) out[keyword] = schema[keyword];
  const { items, properties, additionalProperties: free, patternProperties, oneOf, anyOf } = schema;
  if (items) out.items = nested(items, demands);
  if (properties) out.properties = members(schema, properties, demands);
  if (free !== undefined) out.additionalProperties = typeof free === 'object' ? nested(free, demands) : free;
  if (patternProperties) out.patternProperties = mapped(patternProperties, (member) => nested(member, demands));
  if (oneOf) out.oneOf = oneOf.map((branch) => nested(branch, demands));
  if (anyOf) out.anyOf = anyOf.map((branch) => nested(branch, demands));
  return out;
}

function nested(schema: Schema, demands: Demands): Descriptor {
  const out = published(schema, demands);
  if (schema.context) out.context = schema.context;
  if (schema.readonly !== undefined) out.readonly = schema.readonly;
  return out;
}

const mapped = (schemas: Record<string, Schema>, describe: (schema: Schema, name: string) => Descriptor): Descriptor =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describe(schema, name)]));

/** Clients are used to `[]` where an object has no members. */
function members(parent: Schema, properties: Record<string, Schema>, demands: Demands): Descriptor | [] {
  if (Object.keys(properties).length === 0) return [];
  return mapped(properties, (member, name) => ({
    ...nested(member, demands),
    ...(demands(parent, name, member) && { required: true }),
  }));
}

/** The arguments of an endpoint as the index shows them; `[]` when there are none. */
export function describeArgs(args: TProperties, pathNames: readonly string[]): Record<string, Descriptor> | [] {
  const entries = Object.entries(args as Record<string, Schema>);
  if (entries.length === 0) return [];
  return Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      { ...published(schema, asked), required: says(schema) ?? isRequired(schema, pathNames.includes(name)) },
    ]),
  );
}

/** The schema of a record as OPTIONS and the help context show it. */
export const describeSchema = (title: string, properties: TProperties): Descriptor => ({
  $schema: 'http://json-schema.org/draft-04/schema#',
  title,
  type: 'object',
  properties: members({}, properties as Record<string, Schema>, spelledOut),
});

/** What clients are told, where that is not what is asked of them. */
const says = ({ published: shown }: Schema): boolean | undefined =>
  typeof shown?.required === 'boolean' ? shown.required : undefined;
