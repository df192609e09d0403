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
  description: 'URLs of related resources, by relation.',
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
  description: 'With `_embed`: the linked records, by relation.',
  additionalProperties: { type: 'array', items: { anyOf: [anyRecord, { type: 'array', items: anyRecord }] } },
};

const errorSchema: Json = {
  type: 'object',
  description: 'The reason for a refusal. The code is for apps, the message for users.',
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
          description: 'The error of each argument.',
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
    [refusals[400], 'The request is not valid. The body says what to change.'],
    [refusals[401], 'The request has no credentials, or they are wrong.'],
    [refusals[403], 'The account of the request does not have the right to do this.'],
    [refusals[404], 'The record or route does not exist.'],
    [refusals.default, 'Any other refusal.'],
  ].map(([name, description]) => [
    name,
    { description, content: { 'application/json': { schema: refTo('schemas', 'Error') } } },
  ]),
);

const header = (type: string, description: string): Json => ({ description, schema: { type } });

const headers: Json = {
  total: header('integer', 'Total number of items in the collection.'),
  totalPages: header('integer', 'Total number of pages.'),
  link: header('string', 'URLs of the previous page (`rel="prev"`) and the next page (`rel="next"`).'),
  location: header('string', 'URL of the new record.'),
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
  fields: text('_fields', 'Members to include in the answer, separated by commas; a dot selects a nested member.'),
  embed: text('_embed', 'Linked records to include in the answer: relations separated by commas, or 1 for all.'),
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
    description: 'A complete record. `_fields` and `context=embed` leave out members that are required here.',
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
  description: 'A key that this route issues and checks itself.',
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
