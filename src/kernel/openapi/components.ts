// What several operations share: records, bodies, the refusals, the headers of a collection.
import type { Resource } from '#kernel/resource.ts';
import type { Schema } from '#kernel/schema.ts';
import { nobody } from '../caller.ts';
import { prospectOf } from '../matrix.ts';
import type { Method, Route } from '../route.ts';
import { anyValue, type Json, recordSchema } from './schema.ts';

const refTo = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` });

const links: Json = {
  type: 'object',
  description: 'Neighbouring addresses by relation.',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      required: ['href'],
      properties: { href: { type: 'string' }, embeddable: { type: 'boolean' } },
      additionalProperties: true,
    },
  },
};

const anyRecord: Json = { type: 'object', additionalProperties: true };

/** A link leads to a record, or to a list of records; or to the body of a refusal. */
const embedded: Json = {
  type: 'object',
  description: 'With `_embed`: the records that the links lead to, by relation.',
  additionalProperties: { type: 'array', items: { anyOf: [anyRecord, { type: 'array', items: anyRecord }] } },
};

const errorSchema: Json = {
  type: 'object',
  description: 'Why a request was refused. The code is for programs, the message for people.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer' },
        params: {
          type: 'object',
          description: 'What is wrong with each argument.',
          additionalProperties: { type: 'string' },
        },
      },
    },
    additional_errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          data: { type: ['object', 'null'], additionalProperties: true },
        },
      },
    },
  },
};

const refusals = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  default: 'refused',
} as const;

const refusalResponses: Json = Object.fromEntries(
  [
    [refusals[400], 'The request cannot be used as it is; the body says what to change.'],
    [refusals[401], 'Nobody is known to ask, or the credentials are wrong.'],
    [refusals[403], 'Whoever asks is known, and may not.'],
    [refusals[404], 'There is nothing under this address.'],
    [refusals.default, 'Any other refusal.'],
  ].map(([name, description]) => [
    name,
    { description, content: { 'application/json': { schema: refTo('schemas', 'Error') } } },
  ]),
);

const header = (type: string, description: string): Json => ({ description, schema: { type } });

const headers: Json = {
  total: header('integer', 'How many items the collection has in all.'),
  totalPages: header('integer', 'How many pages that makes.'),
  link: header('string', 'The addresses of the pages before (`rel="prev"`) and after (`rel="next"`).'),
  location: header('string', 'The address of the new record.'),
};

export const pagingHeaders: Json = {
  'X-WP-Total': refTo('headers', 'total'),
  'X-WP-TotalPages': refTo('headers', 'totalPages'),
  Link: refTo('headers', 'link'),
};

export const locationHeader: Json = { Location: refTo('headers', 'location') };

const text = (name: string, description: string): Json => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});

const parameters: Json = {
  fields: text('_fields', 'Which members the answer should have, with commas between them; dots select inside.'),
  embed: text(
    '_embed',
    'Which linked records to put into the answer: relations with commas between them, or 1 for all.',
  ),
};

export const shapingParameters: Json[] = [refTo('parameters', 'fields'), refTo('parameters', 'embed')];

export const refusal = (status: keyof typeof refusals): Json => refTo('responses', refusals[status]);

/** Collects what the operations share while they are written down. */
export interface Components {
  /** A reference to a resource's record. */
  record(resource: Resource): Json;
  /** A reference to what is sent of a resource's record, to make one or to change it. */
  sent(resource: Resource, deed: 'create' | 'update', schema: Json): Json;
  /** A reference to the body of a route that several methods share. */
  body(route: Route, name: string, body: Json): Json;
  /** What an operation asks of whoever calls it. */
  security(route: Route, method: Method): Json[];
  all(): Json;
}

export function newComponents(credentials: Credentials): Components {
  const schemas = new Map<string, Json>([
    ['Error', errorSchema],
    ['AnyValue', anyValue],
  ]);
  const bodies = new Map<string, Json>();
  const records = new Map<Resource, Json>();
  const bodyNames = new Map<Route, string>();
  let keyed = false;
  return {
    record(resource) {
      const known = records.get(resource);
      if (known !== undefined) return known;
      const reference = refTo('schemas', keep(schemas, resource.name, recordOf(resource)));
      records.set(resource, reference);
      return reference;
    },
    sent: (resource, deed, schema) => refTo('schemas', keep(schemas, `${resource.name}-${deed}`, schema)),
    body(route, name, body) {
      const kept = bodyNames.get(route) ?? keep(bodies, name, body);
      bodyNames.set(route, kept);
      return refTo('requestBodies', kept);
    },
    security(route, method) {
      keyed ||= route.credential !== undefined || route.token !== undefined;
      return securityOf(route, method, credentials);
    },
    all: () => ({
      schemas: Object.fromEntries(schemas),
      ...(bodies.size > 0 && { requestBodies: Object.fromEntries(bodies) }),
      responses: refusalResponses,
      parameters,
      headers,
      securitySchemes: { ...credentials.schemes, ...(keyed && { ownToken }) },
    }),
  };
}

function recordOf({ name, fields, links: linked }: Resource): Json {
  const { properties, required } = recordSchema(fields as Readonly<Record<string, Schema>>);
  const related = linked === undefined ? {} : { _links: links, _embedded: embedded };
  return {
    type: 'object',
    title: name,
    description: 'A whole record. `_fields` and `context=embed` leave out members that are required here.',
    properties: { ...properties, ...related },
    ...(Object.keys(properties).length === 0 && { additionalProperties: true }),
    ...(required.length > 0 && { required }),
  };
}

/** Keeps a component under its name, or under the next free one; what is the same is kept once. */
function keep(components: Map<string, Json>, wanted: string, component: Json): string {
  const name = wanted.replace(/[^\w.-]+/g, '-');
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const taken = components.get(candidate);
    if (taken !== undefined && JSON.stringify(taken) !== JSON.stringify(component)) continue;
    components.set(candidate, component);
    return candidate;
  }
}

/** What the site takes to know who asks, as OpenAPI says it. */
export interface Credentials {
  readonly schemes: Readonly<Record<string, Json>>;
  /** Each names the schemes that must come together. */
  readonly requirements: readonly Json[];
}

export const noCredentials: Credentials = { schemes: {}, requirements: [] };

const ownToken: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'A key that this route gives out and judges itself.',
};

/** An empty requirement means: credentials may be left out. */
const securityOf = (route: Route, method: Method, { requirements }: Credentials): Json[] => [
  ...(mayBeNobody(route, method) ? [{}] : []),
  ...(route.credential === undefined ? requirements : []),
  ...(route.credential === undefined && route.token === undefined ? [] : [{ ownToken: [] }]),
];

/** Whether somebody unknown may be let in. Where that depends: public records are read, not written. */
function mayBeNobody(route: Route, method: Method): boolean {
  const prospect = prospectOf(route, nobody);
  return prospect === 'depends' ? method === 'GET' : prospect === 'yes';
}
