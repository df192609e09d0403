import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { onBothStores } from '#test/databases.ts';
import { aQueue } from '#test/queue.ts';
import { takeBack } from './lost.ts';
import type { JobTables } from './tables.ts';

onBothStores('a job that looks lost', (engine) => {
  test('stays with its process if that says meanwhile that it is there', async () => {
    const { jobs, clock, ...queue } = await aQueue(engine);
    const store = queue.store as Store<JobTables>;
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async () => {
      begun.resolve();
      await released.promise;
    };
    await jobs.kind<string>({ name: 'test.held', about: 'Stays', run }).add('x');
    const settled = jobs.settled();
    await begun.promise;
    clock.pass(60_001);
    const row = () => store.db.selectFrom('jobs').select(['status', 'token', 'leased_until']).executeTakeFirstOrThrow();
    const { token } = await row();
    const until = clock.in(60_000).toISOString();
    const behindABeat: typeof store = {
      ...store,
      write: async (work, bounds) => {
        await store.write((tx) => tx.updateTable('jobs').set({ leased_until: until }).execute());
        return store.write(work, bounds);
      },
    };
    await takeBack(behindABeat, { now: clock(), lease: 60_000, ours: [], attemptsOf: () => 1 });
    assert.deepEqual({ ...(await row()) }, { status: 'running', token, leased_until: until });
    released.resolve();
    await settled;
  });
});
