import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { asShipped, shipped, type Verdict, verdict } from './checker.ts';
import { missing } from './missing.ts';

/** What is in one list and not in the other. */
const beyond = (list: readonly string[], other: readonly string[]): string[] =>
  list.filter((one) => !other.includes(one));

for (const deployment of ['a', 'b'] as const) {
  eachEngine(`The contract of deployment ${deployment}`, (engine) => {
    let found: Verdict;
    const known = missing[deployment];
    before(async () => {
      found = await verdict(await aSite(engine, asShipped(deployment)), deployment);
    });

    test('what is built is built to the letter', () => {
      assert.deepEqual(found.wrong, []);
    });

    test('nothing is missing but what missing.ts lists', () => {
      assert.deepEqual(beyond(found.namespaces, known.namespaces), []);
      assert.deepEqual(beyond(found.routes, known.routes), []);
      assert.equal(found.authentication, known.authentication);
    });

    test('all that missing.ts lists is still missing; otherwise run remember.ts', () => {
      assert.deepEqual(beyond(known.namespaces, found.namespaces), []);
      assert.deepEqual(beyond(known.routes, found.routes), []);
    });
  });
}

interface Exchange {
  readonly name: string;
  readonly request: { line: string };
  // biome-ignore lint/suspicious/noExplicitAny: a recording of whatever was said.
  readonly response: { status: number; headers: [string, string][]; body: any };
}

const recorded = (topic: string): Exchange[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../spec/recorded/${topic}.json`), 'utf8')).exchanges;

const exchange = (topic: string, name: string): Exchange => {
  const one = recorded(topic).find((candidate) => candidate.name === name);
  assert.ok(one, `${name} is recorded`);
  return one;
};

/** The members of an index, with what the security suite says in it: the recorded site had none of its own. */
const withSuite = (index: object): string[] => Object.keys(index).toSpliced(-1, 0, 'multisite');

/** An empty `properties` says nothing, and need not be said. */
const told = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, member) =>
    name === 'properties' && Array.isArray(member) && member.length === 0 ? undefined : member,
  );

describe('As it was recorded', () => {
  const engine = testEngine('sqlite');
  let site: TestSite;
  before(async () => {
    site = await shipped(engine, 'b');
  });
  const full = exchange('index', 'index, no authentication').response;

  test('the index describes the root and batches in the same words', async () => {
    const { body } = await site.get('/wp-json/');
    for (const route of ['/', '/batch/v1'])
      assert.deepEqual(told(body.routes[route]), told(full.body.routes[route]), route);
  });

  test('the index has the same members of the same types, in the same order', async () => {
    const { body } = await site.get('/wp-json/');
    assert.deepEqual(Object.keys(body), withSuite(full.body));
    for (const [name, value] of Object.entries(full.body)) {
      assert.equal(typeof body[name], typeof value, name);
      assert.equal(Array.isArray(body[name]), Array.isArray(value), name);
    }
  });

  const content = exchange('index', 'namespace index wp/v2').response;
  const inOrder = (was: readonly string[], is: readonly string[]): [string[], string[]] => [
    is.filter((route) => was.includes(route)),
    was.filter((route) => is.includes(route)),
  ];

  test('the index lists the routes of content in the same order', async () => {
    const { body } = await site.get('/wp-json/');
    const of = (routes: object): string[] => Object.keys(routes).filter((route) => route.startsWith('/wp/v2'));
    const [is, was] = inOrder(of(full.body.routes), of(body.routes));
    assert.ok(is.length > 50);
    assert.deepEqual(is, was);
  });

  test('the index of content alone has the same members and lists its routes in the same order', async () => {
    const { status, headers, body } = await site.get('/wp-json/wp/v2');
    assert.equal(status, content.status);
    assert.equal(headers.get('allow'), 'GET');
    assert.deepEqual(Object.keys(body), Object.keys(content.body));
    assert.deepEqual(Object.keys(body._links), Object.keys(content.body._links));
    assert.deepEqual(...inOrder(Object.keys(content.body.routes), Object.keys(body.routes)));
  });

  test('the index of embeds alone has the same members', async () => {
    const { response } = exchange('index', 'namespace index oembed');
    const { status, headers, body } = await site.get('/wp-json/oembed/1.0');
    assert.equal(status, response.status);
    assert.equal(headers.get('allow'), 'GET');
    assert.deepEqual(Object.keys(body), Object.keys(response.body));
  });

  test('administrators are told of the theme besides', async () => {
    const { response } = exchange('index', 'index as admin');
    const { status, headers, body } = await site.as('administrator').get('/wp-json/');
    assert.equal(status, response.status);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
    assert.deepEqual(Object.keys(body), withSuite(response.body));
    assert.deepEqual(Object.keys(body._links), Object.keys(response.body._links));
  });

  test('each other request has the same status, Allow and members', async () => {
    const plain = recorded('index').filter(({ name }) => !/as admin|namespace index|no authentication/.test(name));
    const wrong: string[] = [];
    for (const one of plain)
      await holdPlain(site, one).catch((error: Error) => void wrong.push(`${one.name}: ${error.message}`));
    assert.deepEqual(wrong, []);
  });

  test('OPTIONS describes a batch in the same words', async () => {
    const { response } = exchange('batch', 'OPTIONS');
    const { status, headers, body } = await site.options('/wp-json/batch/v1');
    assert.equal(status, response.status);
    assert.equal(headers.get('allow'), response.headers.find(([name]) => name === 'Allow')?.[1] ?? null);
    assert.deepEqual(told(body), told(response.body));
  });
});

async function holdPlain(site: TestSite, { request, response }: Exchange): Promise<void> {
  const [method, path] = request.line.split(' ') as [string, string];
  const sent = method === 'POST' ? { body: {} } : {};
  const answer = await site.request(method, path, sent);
  assert.equal(answer.status, response.status);
  const allow = response.headers.find(([header]) => header === 'Allow')?.[1] ?? null;
  assert.equal(answer.headers.get('allow'), allow);
  if (method === 'HEAD') return assert.equal(answer.text, '');
  const members = 'routes' in response.body ? withSuite(response.body) : Object.keys(response.body);
  assert.deepEqual(Object.keys(answer.body), members);
}
