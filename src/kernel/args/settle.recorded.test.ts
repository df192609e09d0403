// The recorded exchanges, replayed against the argument descriptors that the same service published in its index.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { Problem } from '../problem.ts';
import type { Schema, TProperties } from '../schema.ts';
import { readJson } from './json.ts';
import { formatQuery, parseQuery } from './query.ts';
import { type ArgSources, compileArgs, type Settled } from './settle.ts';

interface Exchange {
  name: string;
  request: { line: string; headers: Record<string, string>; body?: unknown };
  response: { status: number; headers: [string, string][]; body: unknown };
}

interface Refusal {
  code: string;
  data: { params: Record<string, string> | string[]; details?: Record<string, { code: string; data: unknown }> };
}

interface Route {
  endpoints: { methods: string[]; args: TProperties | [] }[];
}

const read = (topic: string): Exchange[] => {
  const file = new URL(`../../../test/spec/recorded/${topic}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Exchange[] }).exchanges;
};

const [index] = read('index');
assert.ok(index);
const { routes } = index.response.body as { routes: Record<string, Route> };

/** One recorded `enum` is a map of names to themselves. */
const asWritten = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member) =>
    key === 'enum' && !Array.isArray(member) ? Object.values(member as object) : (member as unknown),
  );
const patterns = Object.entries(routes).map(
  ([path, route]) => [new RegExp(`^${path.replaceAll('(?P<', '(?<')}/?$`, 'i'), route] as const,
);

const nobody = { id: 0, can: () => false };

interface Call {
  method: string;
  query: string;
  groups: Record<string, string>;
  args: TProperties;
}

function callOf({ request }: Exchange): Call | undefined {
  const [method = '', target = ''] = request.line.split(' ');
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const below = path.replace(/^\/wp-json/, '');
  for (const [pattern, route] of patterns) {
    const endpoint = route.endpoints?.find(({ methods }) => methods.includes(method));
    const match = pattern.exec(below);
    if (match && endpoint) {
      const args = asWritten(Array.isArray(endpoint.args) ? {} : endpoint.args) as TProperties;
      return { method, query, groups: { ...match.groups }, args };
    }
  }
  return undefined;
}

function settle({ method, query, groups, args }: Call, body?: unknown): Settled {
  const options = { methods: [method], pathNames: Object.keys(groups), strictDates: false };
  const json = body === undefined ? undefined : withoutPlainText(args, body);
  const sources: ArgSources = { path: groups, query: parseQuery(query), json };
  return compileArgs(args, options)(sources, nobody);
}

/** Titles and contents are published as objects and sent as plain text too; that is their resource's own affair. */
function withoutPlainText(args: TProperties, body: unknown): Record<string, unknown> {
  const sent = readJson(new TextEncoder().encode(JSON.stringify(body))) as Record<string, unknown>;
  const isPlain = (name: string) =>
    (args[name] as Schema | undefined)?.type === 'object' && typeof sent[name] === 'string';
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !isPlain(name)));
}

function refusalOf(work: () => unknown): Problem | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return undefined;
}

/** Refusals by an argument's own check, which no published schema shows. */
const ownChecks = new Set([
  'rest_forbidden_status',
  'rest_user_invalid_username',
  'rest_user_invalid_password',
  'rest_invalid_param',
]);

const isShown = ({ data }: Refusal): boolean =>
  Array.isArray(data.params) || Object.values(data.details ?? {}).some(({ code }) => !ownChecks.has(code));

const topics = ['errors-400-params', 'pagination', 'posts-read', 'media', 'users', 'terms', 'comments', 'search'];
/** Days that no month has are refused here, and roll over there. */
const rolledOver = 'after feb 30';
const exchanges = [...topics, 'errors-auth-routing-body', 'other-core']
  .flatMap(read)
  .filter(({ name }) => name !== rolledOver);

describe('recorded refusals of arguments', () => {
  const refused = exchanges.filter(({ response }) => {
    const refusal = response.body as Refusal;
    return /^rest_(invalid_param|missing_callback_param)$/.test(refusal?.code) && isShown(refusal);
  });
  it('have their code and name the same arguments', () =>
    checkRows(refused, (exchange) => {
      const refusal = exchange.response.body as Refusal;
      const call = callOf(exchange);
      if (!call) return;
      const problem = refusalOf(() => settle(call, exchange.request.body));
      assert.equal(problem?.status, 400);
      assert.equal(problem?.code, refusal.code);
      const { params, details } = problem.details as Refusal['data'];
      if (Array.isArray(refusal.data.params)) {
        assert.deepEqual(params, refusal.data.params);
        return;
      }
      assert.deepEqual(Object.keys(params), Object.keys(refusal.data.params));
      const bare = (all: Refusal['data']['details']) =>
        Object.entries(all ?? {}).map(([name, { code, data }]) => ({ name, code, data }));
      assert.deepEqual(bare(details), bare(refusal.data.details));
    }));
});

/** Unknown names are dropped here, and `_jsonp` is not supported. */
const dropped = /[?&](nosuch|_jsonp)=[^&>]*/g;

describe('recorded addresses of neighbouring pages', () => {
  const linkOf = ({ response }: Exchange) => response.headers?.find(([name]) => name === 'Link')?.[1] ?? '';
  const linking = exchanges.filter((exchange) => /rel="(next|prev)"/.test(linkOf(exchange)));
  it('are written as they were', () =>
    checkRows(linking, (exchange) => {
      const call = callOf(exchange);
      if (!call) return;
      const { query } = settle(call);
      for (const [, address = ''] of linkOf(exchange).matchAll(/<([^>]*)>/g)) {
        const wanted = address.replace(dropped, '').replace(/^[^?&]*[?&]?/, '');
        const page = new URLSearchParams(wanted).get('page');
        const named = query.some(([name]) => name === 'page');
        const entries = named
          ? query.map(([name, value]) => [name, name === 'page' ? page : value] as const)
          : [...query, ['page', page] as const];
        assert.equal(formatQuery(entries), wanted);
      }
    }));
});
