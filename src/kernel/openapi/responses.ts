// What an operation answers.
import { batchRoute } from '#kernel/batch.ts';
import type { Resource } from '#kernel/resource.ts';
import type { Method, Route } from '#kernel/route.ts';
import { type Components, locationHeader, pagingHeaders, refusal } from './components.ts';
import type { PathTemplate } from './path.ts';
import type { Json } from './schema.ts';

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

function answers({ route, method, template }: Asked, components: Components): Json {
  const wrap = (schema: Json): Json => json(enveloped(route, schema));
  const resource = route.resource as unknown as Resource | undefined;
  const empty = { 204: { description: 'Done; there is nothing to say.' } };
  if (resource === undefined)
    return { 200: { description: 'The answer.', ...wrap({}) }, ...(method !== 'GET' && empty) };
  const record = components.record(resource);
  if (method === 'GET') return { 200: { ...read(route, template, record, wrap) } };
  if (method === 'DELETE') return { 200: { description: 'What was removed.', ...wrap(removed(record)) }, ...empty };
  const written = { 200: { description: 'The record as it is now.', ...wrap(record) } };
  if (method !== 'POST' || endsInGroup(template)) return written;
  return { ...written, 201: { description: 'The new record.', headers: locationHeader, ...wrap(record) } };
}

/** A record, a page of them, or either where the route does not say. */
function read(route: Route, template: PathTemplate, record: Json, wrap: (schema: Json) => Json): Json {
  const list = { type: 'array', items: record };
  if (route.args?.per_page !== undefined)
    return { description: 'A page of records.', headers: pagingHeaders, ...wrap(list) };
  if (endsInGroup(template)) return { description: 'The record.', ...wrap(record) };
  return { description: 'The record, or a list of records.', ...wrap({ anyOf: [record, list] }) };
}

const endsInGroup = ({ path }: PathTemplate): boolean => path.endsWith('}');

const removed = (record: Json): Json => ({
  anyOf: [
    { type: 'object', required: ['deleted', 'previous'], properties: { deleted: { const: true }, previous: record } },
    record,
  ],
});

/** The family's own wrapping, seen by wrapping a mark: what holds the mark holds the answer. */
function enveloped({ envelope }: Route, schema: Json): Json {
  if (envelope === undefined) return schema;
  const mark = {};
  const wrapped = envelope.success(mark);
  if (wrapped === mark) return schema;
  if (typeof wrapped !== 'object' || wrapped === null) return {};
  const members = Object.entries(wrapped).map(([name, value]) => [name, value === mark ? schema : typed(value)]);
  return { type: 'object', properties: Object.fromEntries(members) };
}

const typed = (value: unknown): Json =>
  typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number' ? { type: typeof value } : {};

const one: Json = {
  type: 'object',
  required: ['body', 'status', 'headers'],
  properties: {
    body: { description: 'The answer, or the error body of a refusal.' },
    status: { type: 'integer' },
    headers: { description: 'An empty list when there are none.' },
  },
};

const batchAnswers: Json = {
  207: {
    description: 'One answer for each request, in the same order.',
    ...json({
      type: 'object',
      required: ['responses'],
      properties: {
        failed: { const: 'validation', description: 'Nothing was done, since one of the requests cannot be used.' },
        responses: { type: 'array', items: { anyOf: [one, { type: 'null' }] } },
      },
    }),
  },
};
