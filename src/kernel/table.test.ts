import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { type Method, type Route, routeMaker } from './route.ts';
import { t } from './schema.ts';
import { buildTable, type Table, TableProblem } from './table.ts';

const route = routeMaker<unknown>();
const at = (method: Method | Method[], path: string, access = 'public'): Route =>
  route({ method, path, summary: path, access, handle: () => ({}) });
const tableOf = (...routes: Route[]): Table => buildTable([{ namespace: 'x/v1', routes, use: undefined }], new Set());
const matched = (table: Table, method: string, path: string) => {
  const found = table.match(method, path);
  return found && [found.group.pattern.text, found.entry?.route.methods.join(), { ...found.path }];
};

test('a path means the first registered pattern that offers the method', () => {
  const table = tableOf(
    at('GET', 'posts'),
    at('GET', 'posts/(?P<id>\\d+)'),
    at('GET', 'posts/(?P<slug>[a-z\\d]+)'),
    at('POST', 'posts/(?P<slug>[a-z\\d]+)'),
    at('GET', 'posts/me'),
    at('DELETE', 'posts/me'),
  );
  const cases: [string, string, unknown][] = [
    ['GET', '/x/v1/posts', ['/x/v1/posts', 'GET', {}]],
    ['GET', '/X/V1/POSTS/', ['/x/v1/posts', 'GET', {}]],
    ['GET', '/x/v1/posts/5', ['/x/v1/posts/(?P<id>\\d+)', 'GET', { id: '5' }]],
    ['POST', '/x/v1/posts/5', ['/x/v1/posts/(?P<slug>[a-z\\d]+)', 'POST', { slug: '5' }]],
    ['GET', '/x/v1/posts/me', ['/x/v1/posts/(?P<slug>[a-z\\d]+)', 'GET', { slug: 'me' }]],
    ['DELETE', '/x/v1/posts/me', ['/x/v1/posts/me', 'DELETE', {}]],
    ['DELETE', '/x/v1/posts/5', ['/x/v1/posts/(?P<id>\\d+)', undefined, { id: '5' }]],
    ['PUT', '/x/v1/posts', ['/x/v1/posts', undefined, {}]],
    ['GET', '/x/v1/posts/Ü', undefined],
    ['GET', '/x/v1', undefined],
    ['GET', '', undefined],
  ];
  for (const [method, path, wanted] of cases)
    assert.deepEqual(matched(table, method, path), wanted, `${method} ${path}`);
});

test('a group in the middle of a segment, at the root, or across slashes is found as well', () => {
  const table = tableOf(at('GET', 'file-(?P<name>\\w+)'), at('GET', 'tree/(?P<path>.+)/end'));
  assert.deepEqual(matched(table, 'GET', '/x/v1/file-a')?.[2], { name: 'a' });
  assert.deepEqual(matched(table, 'GET', '/x/v1/tree/a/b/c/end')?.[2], { path: 'a/b/c' });
  const rooted = buildTable([{ namespace: '', routes: [at('GET', '(?P<any>[^/]+)')], use: undefined }], new Set());
  assert.deepEqual(matched(rooted, 'GET', '/thing')?.[2], { any: 'thing' });
});

test('routes of one path are one group, whoever mounts them, in the order they came', () => {
  const mounts = [
    { namespace: 'x/v1', routes: [at('GET', 'a')], use: 1 },
    { namespace: 'y/v1', routes: [at('GET', 'a')], use: 2 },
    { namespace: 'x/v1', routes: [at(['PUT', 'POST'], 'a')], use: 3 },
    { namespace: '', routes: [at('GET', '')], use: 4 },
  ];
  const table = buildTable(mounts, new Set());
  assert.deepEqual(
    table.groups.map(({ pattern, entries }) => [pattern.text, entries.map(({ use }) => use)]),
    [
      ['/x/v1/a', [1, 3]],
      ['/y/v1/a', [2]],
      ['/', [4]],
    ],
  );
  assert.deepEqual(table.namespaces, ['x/v1', 'y/v1']);
});

test('what cannot be served is refused with a sentence', () => {
  const refused = (pattern: RegExp, ...routes: Route[]) =>
    assert.throws(
      () => tableOf(...routes),
      (error: Error) => error instanceof TableProblem && pattern.test(error.message),
    );
  refused(/GET \/x\/v1\/a is declared twice/, at('GET', 'a'), at(['POST', 'GET'], 'a'));
  refused(/GET \/x\/v1\/a asks for the capability fly/, at('GET', 'a', 'fly'));
  assert.doesNotThrow(() => tableOf(at('GET', 'a'), at('POST', 'a')));
});

test('the groups of a path are settled as the first route that knows them says', () => {
  const described = route({
    method: 'GET',
    path: 'a/(?P<id>[^/]+)/(?P<word>[^/]+)',
    summary: 'a',
    access: 'public',
    args: { id: t.integer() },
    handle: () => ({}),
  });
  const [group] = tableOf(described).groups;
  assert.deepEqual(group?.coercePath({ id: '07', word: '07' }), { id: 7, word: '07' });
  assert.equal(group?.coercePath({ id: 'x', word: 'x' }), undefined, 'what does not fit names nothing');
});

test('a matched path is written again as the table spells it', () => {
  const table = tableOf(at('GET', 'Posts/(?P<id>\\d+)/x'));
  const match = table.match('GET', '/X/v1/posts/007/X/');
  assert.equal(match && table.pathOf(match), '/x/v1/Posts/007/x');
});

test('a path with thousands of slashes is refused as quickly as any', () => {
  const table = tableOf(at('GET', 'posts/(?P<id>\\d+)'));
  const long = '/x'.repeat(100_000);
  assert.equal(
    withinProcessorTime(250, () => table.match('GET', long)),
    undefined,
  );
});
