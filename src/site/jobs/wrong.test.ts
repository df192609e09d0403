// What goes wrong around jobs: clocks, machines that sleep, kinds and schedules that misbehave.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { day, hour, minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import { eachEngine } from '#test/databases.ts';
import { aQueue, type TestQueue } from '#test/queue.ts';
import { Hopeless } from './job.ts';

/** Rows as they would be after many were added. */
async function fill({ store, clock }: TestQueue, many: number, more: object): Promise<void> {
  const now = instant(clock());
  const row = {
    kind: 'test.a',
    payload: 'null',
    confidential: 0,
    status: 'queued',
    run_at: now,
    by: 0,
    created_at: now,
  };
  const rows = Array.from({ length: many }, (_, at) => ({ ...row, id: `${JSON.stringify(more)} ${at}`, ...more }));
  await store.write((tx) => tx.insertInto('jobs').values(rows).execute());
}

eachEngine('jobs, when something is wrong,', (engine) => {
  test('a process that slept past its lease keeps its jobs, and does none twice', async () => {
    const { jobs, clock } = await aQueue(engine);
    const [begun, slept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let ran = 0;
    const queue = jobs.kind<null>({
      name: 'test.slow',
      about: 'Is slow',
      async run() {
        ran += 1;
        begun.resolve();
        await slept.promise;
      },
    });
    const id = await queue.add(null);
    const settled = jobs.settled();
    await begun.promise;
    clock.pass(2 * minute);
    const again = jobs.settled();
    await new Promise(setImmediate);
    slept.resolve();
    await Promise.all([settled, again]);
    const job = await jobs.find(id);
    assert.deepEqual([ran, job?.status, job?.attempt], [1, 'done', 1]);
    assert.equal((await jobs.figures()).ended.find(({ kind }) => kind === 'test.slow')?.jobs, 1);
  });

  test('a job that was stopped part-way and then finished is told of as it was', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const second = Promise.withResolvers<void>();
    const kind = (stays: boolean) => ({
      name: 'test.parts',
      about: 'Has parts',
      run: (_: null, { each, signal }: Parameters<Parameters<typeof one.jobs.kind<null>>[0]['run']>[1]) =>
        each((after) => [1, 2, 3].filter((item) => item > Number(after ?? 0)), {
          key: String,
          async do(item) {
            if (!stays || item !== 2) return;
            second.resolve();
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          },
        }),
    });
    const id = await one.jobs.kind(kind(true)).add(null);
    other.jobs.kind(kind(false));
    one.jobs.start();
    await second.promise;
    await one.jobs.stop();
    await other.jobs.settled();
    const job = await other.jobs.find(id);
    assert.deepEqual([job?.status, job?.done, job?.total, job?.attempt], ['done', 3, 3, 1]);
  });

  test('whatever a kind throws ends its job alone', async () => {
    const { jobs } = await aQueue(engine);
    const thrown = Object.assign(new Hopeless('x'), { message: undefined });
    const odd = jobs.kind<null>({ name: 'test.odd', about: 'Throws', run: () => Promise.reject(thrown) });
    const pausing = jobs.kind<null>({
      name: 'test.pause',
      about: 'Cannot say how long',
      attempts: 3,
      pause: () => assert.fail('no pause'),
      run: () => Promise.reject(new Error('x')),
    });
    const long = jobs.kind<null>({
      name: 'test.long',
      about: 'Tells much',
      run: async () => ({ text: 'x'.repeat(1_000_001) }),
    });
    const ids = [await odd.add(null), await pausing.add(null), await long.add(null)];
    await jobs.settled();
    for (const id of ids) {
      const job = await jobs.find(id);
      assert.equal(job?.status, 'failed');
      assert.ok(job.errors[0]?.message);
    }
  });

  test('a stop while jobs are claimed leaves none of them running', async () => {
    const { jobs, store } = await aQueue(engine);
    const queue = jobs.kind<null>({ name: 'test.free', about: 'Waits', run: (_, { signal }) => aborted(signal) });
    await queue.add(null);
    const settled = jobs.settled();
    await jobs.stop();
    await settled;
    const rows = await store.db.selectFrom('jobs').select('status').execute();
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['queued'],
    );
  });

  test('a lease that a clock gave which was ahead does not last, and neither does a moment', async () => {
    const one = await aQueue(engine);
    const queue = one.jobs.kind<null>({ name: 'test.free', about: 'Is free', run: async () => {} });
    const [held, waiting] = [await queue.add(null), await queue.add(null)];
    const leased_until = instant(one.clock.in(day));
    const claim = { status: 'running', token: 'of the fast', attempt: 1, leased_until };
    await one.store.write((tx) => tx.updateTable('jobs').set(claim).where('id', '=', held).execute());
    const ahead = { run_at: leased_until, created_at: leased_until };
    await one.store.write((tx) => tx.updateTable('jobs').set(ahead).where('id', '=', waiting).execute());
    await one.jobs.settled();
    const statuses = [await one.jobs.find(held), await one.jobs.find(waiting)].map((job) => job?.status);
    assert.deepEqual(statuses, ['done', 'done']);
  });

  test('what failed while a clock was ahead is tried again in its time, by another machine too', async () => {
    const one = await aQueue(engine);
    const kind = { name: 'test.free', about: 'Fails at first', attempts: 3 };
    const queue = one.jobs.kind<null>({ ...kind, run: () => Promise.reject(new Error('Not yet.')) });
    const other = await one.another();
    other.jobs.kind<null>({ ...kind, run: async () => {} });
    const id = await queue.add(null, { at: one.clock.in(minute) });
    await other.jobs.settled();
    one.clock.pass(30 * day);
    await one.jobs.settled();
    one.clock.pass(2 * hour - 30 * day);
    await other.jobs.settled();
    assert.equal((await one.jobs.find(id))?.status, 'done');
  });

  test('a job that was cancelled ends when its process is known to be gone', async () => {
    const { jobs, store, clock } = await aQueue(engine);
    const queue = jobs.kind<null>({ name: 'test.free', about: 'Is free', run: async () => {} });
    const id = await queue.add(null);
    const leased_until = instant(clock.in(-1));
    const claim = { status: 'running', token: 'dead', attempt: 4, cancelled: 1, leased_until };
    await store.write((tx) => tx.updateTable('jobs').set(claim).execute());
    await jobs.settled();
    assert.equal((await jobs.find(id))?.status, 'cancelled');
  });

  test('that was begun here already is waited for by whoever wants it done now', async () => {
    const { jobs } = await aQueue(engine);
    const [begun, may] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async () => {
      begun.resolve();
      await may.promise;
    };
    const id = await jobs.kind<null>({ name: 'test.slow', about: 'Takes its time', run }).add(null);
    const first = jobs.work(id);
    await begun.promise;
    const second = jobs.work(id);
    let isSecondOver = false;
    void second.finally(() => {
      isSecondOver = true;
    });
    for (let turns = 0; turns < 20; turns += 1) await turn();
    assert.equal(isSecondOver, false);
    may.resolve();
    assert.deepEqual([await first, await second, (await jobs.find(id))?.status], [true, true, 'done']);
    assert.equal(await jobs.work(id), false);
  });

  test('of a kind that the site alone does, nothing is begun beside it', async () => {
    const { jobs } = await aQueue(engine);
    const queue = jobs.kind<null>({ name: 'test.site', about: 'Is of the site', serving: true, run: async () => {} });
    const id = await queue.add(null);
    jobs.leaveToSite();
    await jobs.settled();
    assert.deepEqual(
      [(await jobs.find(id))?.status, await jobs.work(id), jobs.does('test.site')],
      ['queued', false, false],
    );
  });

  test('behind any number that wait for one another, others are begun', async () => {
    const queue = await aQueue(engine);
    const { jobs } = queue;
    const [ran, held]: [unknown[], PromiseWithResolvers<void>] = [[], Promise.withResolvers()];
    const kind = jobs.kind<string | null>({
      name: 'test.a',
      about: 'Is alone',
      async run(who) {
        if (who === 'hold') return held.promise;
        ran.push(who);
        if (ran.includes('free') && ran.includes('other')) held.resolve();
      },
    });
    await kind.add('hold', { alone: 'x' });
    await fill(queue, 600, { alone: 'x' });
    await kind.add('other', { alone: 'y' });
    await kind.add('free');
    await Promise.race([jobs.settled(), held.promise]);
    assert.deepEqual(ran.slice(0, 2).sort(), ['free', 'other']);
    await jobs.settled();
  });

  test('a schedule that fails or hangs is tried again a minute later, and the others go on', async () => {
    const { jobs, clock } = await aQueue(engine, { patience: 10 });
    const tries = { fails: 0, hangs: 0, fine: 0 };
    jobs.schedule({
      name: 'fails',
      every: hour,
      add: async () => {
        if (tries.fails++ === 0) throw new Error('once');
      },
    });
    jobs.schedule({
      name: 'hangs',
      every: hour,
      add: () => (tries.hangs++ === 0 ? new Promise(() => {}) : Promise.resolve()),
    });
    jobs.schedule({ name: 'fine', every: hour, add: async () => void tries.fine++ });
    for (const span of [0, hour, minute, minute]) {
      clock.pass(span);
      await jobs.settled();
    }
    assert.deepEqual(tries, { fails: 2, hangs: 2, fine: 1 });
  });
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));
