// The OpenAPI 3.0 document of this family, read off its routes: what they are said to take is what they take.
import { hash } from 'node:crypto';
import { isRequired } from '#kernel/args/settle.ts';
import { type Json, requestSchema } from '#kernel/openapi/schema.ts';
import type { Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import { credentials } from '#site/identity/credential.ts';

/** Its text, and the tag by which it is known to be the same. */
export type Describe = (routes: readonly Route[]) => { readonly text: string; readonly tag: string };

interface About {
  readonly version: string;
  /** Below which the routes are. */
  readonly server: string;
}

export function createDescribe(about: About): Describe {
  let known: ReturnType<Describe> | undefined;
  return (routes) => {
    if (known !== undefined) return known;
    const text = JSON.stringify(documentOf(routes, about));
    known = { text, tag: `"${hash('sha256', text, 'base64url')}"` };
    return known;
  };
}

const documentOf = (routes: readonly Route[], { version, server }: About): Json => ({
  openapi: '3.0.0',
  info: { title: 'Test data', description: 'Creates test data.', version },
  servers: [{ url: server }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: Object.fromEntries(routes.map((route) => [`/${route.path}`, pathOf(route)])),
  components: { schemas, securitySchemes: credentials.schemes },
});

const tags = {
  posts: 'Posts, pages and other records.',
  users: 'Users.',
  terms: 'Categories, tags and other terms.',
  comments: 'Comments.',
  attachments: 'Pictures.',
  meta: 'Meta values, and this document.',
};

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

function pathOf(route: Route): Json {
  const [kind = ''] = route.path.split('/');
  const isOrder = route.access !== 'public';
  const refused = (description: string): Json => ({ description, ...json(refTo('ErrorResponse')) });
  const operation = {
    operationId: isOrder ? `generate${kind[0]!.toUpperCase()}${kind.slice(1)}` : 'describe',
    summary: route.summary,
    tags: [isOrder ? kind : 'meta'],
    ...(isOrder && { requestBody: json(bodyOf(route)), security: credentials.requirements }),
    responses: isOrder
      ? {
          200: { description: 'The created records.', ...json(refTo('SuccessResponse')) },
          400: refused('The request is not valid, or created nothing.'),
          401: refused('The request has no credentials.'),
          403: refused('The account does not have the right to do this.'),
        }
      : { 200: { description: 'This document.', ...json({ type: 'object' }) } },
  };
  return { [route.methods[0]!.toLowerCase()]: operation };
}

function bodyOf({ args, payload }: Route): Json {
  const said = { ...args, ...(payload as Schema | undefined)?.properties } as Readonly<Record<string, Schema>>;
  const required = Object.keys(said).filter((name) => isRequired(said[name]!, false));
  const properties = Object.entries(said).map(([name, schema]) => [name, older(requestSchema(schema))]);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

const schemas: Json = {
  SuccessResponse: {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { type: 'boolean', enum: [true] },
      message: { type: 'string' },
      data: refTo('GenerationResult'),
    },
  },
  ErrorResponse: {
    type: 'object',
    required: ['success', 'code', 'message'],
    properties: {
      success: { type: 'boolean', enum: [false] },
      code: { type: 'string' },
      message: { type: 'string' },
      data: { type: 'object', properties: { status: { type: 'integer' } } },
    },
  },
  GenerationResult: {
    type: 'object',
    required: ['generated', 'ids', 'links', 'time', 'seed'],
    properties: {
      generated: { type: 'integer' },
      ids: { type: 'array', items: { type: 'integer' } },
      links: { type: 'array', items: { type: 'string' }, description: 'URLs to edit the records, in the same order.' },
      time: { type: 'number', description: 'In seconds.' },
      seed: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        description: 'Send it with the next part to continue this run; without it, the next part is a new run.',
      },
      is_capped: {
        type: 'boolean',
        description: 'Whether there is more to create: send the same request with this offset and total.',
      },
      offset: { type: 'integer' },
      total: { type: 'integer' },
    },
  },
};

// From the dialect of OpenAPI 3.1 to that of 3.0, which knows one type at a time and has a word of its own for null.

function older(schema: Json): Json {
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
