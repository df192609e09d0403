// What an operation answers.
import { batchRoute } from '#kernel/batch.ts';
import type { Resource } from '#kernel/resource.ts';
import type { Method, Route } from '#kernel/route.ts';
import { type Components, locationHeader, pagingHeaders, refusal } from './components.ts';
import type { PathTemplate } from './path.ts';
import { answerSchema, anyValueRef, type Json } from './schema.ts';

interface Asked {
  readonly route: Route;
  readonly method: Method;
  readonly template: PathTemplate;
  /** Whether the operation takes anything at all. */
  readonly takes: boolean;
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

export function responsesOf(asked: Asked, components: Components): Json {
  const { route, method, template, takes } = asked;
  const closed = route.access !== 'public';
  return {
    ...(route === batchRoute ? batchAnswers : answers(asked, components)),
    ...((takes || method !== 'GET') && { 400: refusal(400) }),
    401: refusal(401),
    ...(closed && { 403: refusal(403) }),
    ...(template.groups.length > 0 && { 404: refusal(404) }),
    default: refusal('default'),
  };
}

function answers(asked: Asked, components: Components): Json {
  const { route, method, template } = asked;
  const wrap = (schema: Json): Json => json(enveloped(route, schema));
  const resource = route.resource as unknown as Resource | undefined;
  if (route.answers !== undefined) return declared(route.answers, route.answerType);
  if (resource === undefined) return { 200: { description: 'The answer.', ...wrap(anyValueRef) } };
  const record = components.record(resource);
  if (method === 'GET' || route.several !== undefined) return { 200: read(route, record, wrap) };
  if (method === 'DELETE') return { 200: { description: 'The deleted record.', ...wrap(removed(record)) }, ...empty };
  const written = { 200: { description: 'The record after the change.', ...wrap(record) } };
  // A route that takes other methods too changes what is there.
  if (method !== 'POST' || (endsInGroup(template) && route.methods.length > 1)) return written;
  return { ...written, 201: { description: 'The new record.', headers: locationHeader, ...wrap(record) } };
}

const empty = { 204: { description: 'Done. The answer has no body.' } };

const declared = (all: NonNullable<Route['answers']>, type = 'application/json'): Json =>
  Object.fromEntries(
    Object.entries(all).map(([status, schema]) => [
      status,
      schema === null
        ? empty[204]
        : { description: 'The answer.', content: { [type]: { schema: answerSchema(schema) } } },
    ]),
  );

function read({ several, args }: Route, record: Json, wrap: (schema: Json) => Json): Json {
  const list = { type: 'array', items: record };
  if (args?.per_page !== undefined) return { description: 'A page of records.', headers: pagingHeaders, ...wrap(list) };
  if (several === 'list') return { description: 'The records.', ...wrap(list) };
  if (several === undefined) return { description: 'The record.', ...wrap(record) };
  return { description: 'The records, by name.', ...wrap({ type: 'object', additionalProperties: record }) };
}

const endsInGroup = ({ path }: PathTemplate): boolean => path.endsWith('}');

const removed = (record: Json): Json => ({
  anyOf: [
    {
      type: 'object',
      required: ['deleted', 'previous'],
      properties: { deleted: { type: 'boolean', const: true }, previous: record },
    },
    record,
  ],
});

/** The family's own wrapping, seen by wrapping a mark: what holds the mark holds the answer. */
function enveloped({ envelope }: Route, schema: Json): Json {
  if (envelope === undefined) return schema;
  const mark = {};
  const wrapped = envelope.success(mark);
  if (wrapped === mark) return schema;
  if (typeof wrapped !== 'object' || wrapped === null) return anyValueRef;
  const members = Object.entries(wrapped).map(([name, value]) => [name, value === mark ? schema : typed(value)]);
  return { type: 'object', required: members.map(([name]) => name), properties: Object.fromEntries(members) };
}

const typed = (value: unknown): Json =>
  typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number'
    ? { type: typeof value }
    : anyValueRef;

const one: Json = {
  type: 'object',
  required: ['body', 'status', 'headers'],
  properties: {
    body: { description: 'The answer, or the error body of a refusal.', ...anyValueRef },
    status: { type: 'integer' },
    headers: {
      description: 'The records, by name; an empty list if there are none.',
      anyOf: [
        { type: 'object', additionalProperties: { type: ['string', 'number'] } },
        { type: 'array', items: { type: 'string' }, maxItems: 0 },
      ],
    },
  },
};

const batchAnswers: Json = {
  207: {
    description: 'One answer for each request, in the same order.',
    ...json({
      type: 'object',
      required: ['responses'],
      properties: {
        failed: {
          type: 'string',
          const: 'validation',
          description: 'Nothing was done, because one of the requests is not valid.',
        },
        responses: { type: 'array', items: { anyOf: [one, { type: 'null' }] } },
      },
    }),
  },
};
