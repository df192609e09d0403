// What the recordings of the security suite hold and this version does not serve: when it does, they are to be replayed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routesWithoutSite } from '#test/site.ts';
import { asShipped } from './checker.ts';
import { later } from './recorded-suite.ts';

test('of the security suite, what no recording is replayed of is not served yet', () => {
  const paths = routesWithoutSite(asShipped('a')).map(({ pattern }) => pattern.text);
  const overdue = later.filter((one) => paths.some((path) => path.startsWith(one)));
  assert.deepEqual(overdue, [], 'replay the exchanges of these');
});
