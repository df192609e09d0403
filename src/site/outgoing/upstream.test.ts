import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { refusing, Upstream } from './upstream.ts';

describe('A route says in its own words what the other side did wrong', () => {
  const said = async (error: unknown) =>
    Promise.reject(error)
      .catch(refusing('embed_failed'))
      .catch((refusal) => refusal);

  test('504 when it was late, 502 for everything else', async () => {
    for (const [name, status] of [
      ['late', 504],
      ['unreachable', 502],
      ['type', 502],
      ['broken', 502],
    ] as const) {
      const refusal = await said(new Upstream(name, 'Alas.'));
      assert.ok(refusal instanceof Problem);
      assert.deepEqual([refusal.status, refusal.code, refusal.message], [status, 'embed_failed', 'Alas.']);
    }
  });

  test('and nothing else is touched', async () => {
    const bug = new Error('a bug');
    assert.equal(await said(bug), bug);
  });
});
