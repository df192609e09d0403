// What the recordings of the security suite hold and this version does not serve: when it does, they are to be replayed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { shipped } from './checker.ts';
import { later } from './recorded-suite.ts';

describe('Of the security suite', () => {
  const engine = testEngine('sqlite');

  test('what no recording is replayed of is not served yet', async () => {
    const { app } = await shipped(engine, 'a');
    const paths = app.table.groups.map(({ pattern }) => pattern.text);
    const overdue = later.filter((one) => paths.some((path) => path.startsWith(one)));
    assert.deepEqual(overdue, [], 'replay the exchanges of these');
  });
});
