import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { Stopped } from '#site/jobs/job.ts';
import { leaseTables } from '#site/platform/leases.ts';
import type { Changes } from '#store/changes.ts';
import type { AnyStore } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { createTurns, type Planned } from './turns.ts';

/** The same each time, unless it is called something else. */
const planned =
  <R>(work: Planned<R>['work'], name = 'sync', joins: readonly string[] = []) =>
  async (): Promise<Planned<R>> => ({ name, joins, work });

/** The same store, telling when somebody begins to wait for news of it. */
function watched(store: AnyStore) {
  let waits = Promise.withResolvers<void>();
  const watch: Changes['watch'] = (listener) => {
    waits.resolve();
    return store.changes.watch(listener);
  };
  const waiting = async () => {
    await waits.promise;
    waits = Promise.withResolvers();
  };
  return { store: { ...store, changes: { watch } }, waiting };
}

eachEngine('Who speaks with the hub', (engine) => {
  let now = noon;
  const process = (store: Parameters<typeof createTurns>[0]['store'], looks?: number) => {
    return createTurns({ store, clock: () => now, ...(looks !== undefined && { looks }) });
  };
  const two = async () => {
    const place = await engine.place();
    const [one, other] = [await engine.store([leaseTables], place), await engine.store([leaseTables], place)];
    return { one, other: watched(other) };
  };
  /** Something that takes until it is let go. */
  const slow = () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<object>();
    const work = () => {
      begun.resolve();
      return go.promise;
    };
    return { begun: begun.promise, go, work };
  };

  test('does so alone, and another process that wants the same is given what came of it', async () => {
    const { one, other } = await two();
    const first = slow();
    const mine = process(one).shared(undefined, planned(first.work));
    await first.begun;
    const theirs = process(other.store).shared(
      undefined,
      planned(async () => assert.fail('It was asked twice.')),
    );
    await other.waiting();
    first.go.resolve({ membership: 'full' });
    assert.deepEqual(await mine, { membership: 'full' });
    assert.deepEqual(await theirs, { membership: 'full' });
  });

  test('is followed by nobody into a refusal, but tells of it', async () => {
    const { one, other } = await two();
    const first = slow();
    const refused = { status: 502, code: 'api_error', message: 'The hub is away.' };
    const mine = assert.rejects(process(one).shared(undefined, planned(first.work)), refused);
    await first.begun;
    const theirs = assert.rejects(
      process(other.store).shared(
        undefined,
        planned(async () => assert.fail('It was asked twice.')),
      ),
      refused,
    );
    await other.waiting();
    first.go.reject(new Problem(502, 'api_error', 'The hub is away.'));
    await Promise.all([mine, theirs]);
  });

  test('and broke is of no use to those who waited: they try for themselves', async () => {
    const { one, other } = await two();
    const first = slow();
    const mine = assert.rejects(process(one).shared(undefined, planned(first.work)), TypeError);
    await first.begun;
    const theirs = process(other.store).shared(
      undefined,
      planned(async () => ({ membership: 'unit' })),
    );
    await other.waiting();
    first.go.reject(new TypeError('undefined is not a function'));
    await mine;
    assert.deepEqual(await theirs, { membership: 'unit' });
  });

  test('and does something else is waited for, and not taken for it', async () => {
    const { one, other } = await two();
    const leaving = slow();
    const mine = process(one).alone(undefined, leaving.work);
    await leaving.begun;
    const theirs = process(other.store).shared(
      undefined,
      planned(async () => ({ membership: 'full' })),
    );
    await other.waiting();
    leaving.go.resolve({});
    assert.deepEqual([await mine, await theirs], [{}, { membership: 'full' }]);
  });

  test('for one thing is waited for by those who want another, and followed by those for whom it does as well', async () => {
    const { one, other } = await two();
    const first = slow();
    const mine = process(one).shared(undefined, planned(first.work, 'forced'));
    await first.begun;
    const plain = process(other.store).shared(
      undefined,
      planned(async () => assert.fail('It was asked twice.'), 'plain', ['forced']),
    );
    await other.waiting();
    const elsewhere = process(other.store).shared(
      undefined,
      planned(async () => ({ by: 'another' }), 'forced, to another hub'),
    );
    await other.waiting();
    first.go.resolve({ by: 'the first' });
    assert.deepEqual(
      [await mine, await plain, await elsewhere].map((answer) => ('by' in answer ? answer.by : '')),
      ['the first', 'the first', 'another'],
    );
  });

  test('and finds that it is wanted no more plans anew', async () => {
    const { one } = await two();
    const plans = ['for the hub of yesterday', 'for the hub of today'];
    const plan = async (): Promise<Planned<object>> => {
      const name = plans.shift() ?? assert.fail();
      return { name, work: async () => (plans.length === 0 ? { name } : undefined) };
    };
    assert.deepEqual(await process(one).shared(undefined, plan), { name: 'for the hub of today' });
  });

  test('and is gone is waited for a minute by the clock, and no longer; what came of it later is not kept', async () => {
    const { one, other } = await two();
    const lost = slow();
    const kept: string[] = [];
    const mine = process(one).shared(
      undefined,
      planned(async (turn) => {
        const answer = await lost.work();
        await turn.write(async () => void kept.push('late'));
        return answer;
      }),
    );
    await lost.begun;
    now = new Date(noon.getTime() + minute);
    assert.deepEqual(
      await process(other.store).shared(
        undefined,
        planned(async () => ({ by: 'another' })),
      ),
      { by: 'another' },
    );
    lost.go.resolve({});
    await assert.rejects(mine, { status: 504, code: 'api_error' });
    assert.deepEqual(kept, []);
    now = noon;
  });

  test('and is said to do so by a clock that was wrong is not waited for', async () => {
    const { one, other } = await two();
    const lost = slow();
    now = new Date(noon.getTime() + 60 * minute);
    const mine = process(one).shared(undefined, planned(lost.work));
    await lost.begun;
    now = noon;
    assert.deepEqual(
      await process(other.store).shared(
        undefined,
        planned(async () => ({ by: 'another' })),
      ),
      { by: 'another' },
    );
    lost.go.resolve({});
    await mine;
  });

  test('and takes too long is not waited for', async () => {
    const { one, other } = await two();
    const first = slow();
    const mine = process(one).shared(undefined, planned(first.work));
    await first.begun;
    const work = async () => assert.fail('It was asked twice.');
    await assert.rejects(process(other.store, 0).shared(undefined, planned(work)), {
      status: 504,
      code: 'api_error',
      headers: { 'Retry-After': '60' },
    });
    first.go.resolve({});
    await mine;
  });

  test('is not waited for by a site that stops', async () => {
    const { one, other } = await two();
    const first = slow();
    const mine = process(one).shared(undefined, planned(first.work));
    await first.begun;
    const work = async () => assert.fail('It was done.');
    for (const wait of [
      (signal: AbortSignal) => process(other.store).shared(undefined, planned(work), signal),
      (signal: AbortSignal) => process(other.store).alone(undefined, work, signal),
    ]) {
      const stopping = new AbortController();
      const stopped = new Stopped('stopping');
      const theirs = assert.rejects(wait(stopping.signal), stopped);
      await other.waiting();
      stopping.abort(stopped);
      await theirs;
      await assert.rejects(wait(stopping.signal), stopped);
      await other.waiting();
    }
    first.go.resolve({});
    await mine;
  });

  test('looks whether it is there still with the lock of whoever takes the turn', async () => {
    const { one } = await two();
    const locks: string[] = [];
    const locking: typeof one.write = (work) =>
      one.write((tx, during) => {
        const lock: typeof during.lock = (name) => {
          locks.push(name);
          return during.lock(name);
        };
        return work(tx, { ...during, lock });
      });
    await process({ ...one, write: locking }).alone(undefined, async (turn) => {
      const [taken, ...rest] = locks.splice(0);
      assert.ok(taken !== undefined && rest.every((lock) => lock === taken));
      await turn.write(async () => assert.deepEqual(locks, [taken]));
    });
  });

  test('may do so still when it is their turn, or nothing is done', async () => {
    const { one } = await two();
    const again = async () => {
      throw new Problem('denied', 'rest_forbidden', 'Not any more.');
    };
    const work = async () => assert.fail('It was done.');
    await assert.rejects(process(one).shared({ by: 1, again }, planned(work)), { code: 'rest_forbidden' });
    await assert.rejects(process(one).alone({ by: 1, again }, work), { code: 'rest_forbidden' });
    assert.deepEqual(await one.db.selectFrom('leases').selectAll().execute(), []);
  });
});
