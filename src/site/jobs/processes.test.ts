// Several processes at one queue: who does a job, who takes it over, and what must never run side by side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { aQueue, type TestQueue } from '#test/queue.ts';
import type { Kind, Work } from './job.ts';

type Held = Kind<string> & { readonly begun: Promise<Work>; readonly ran: string[]; release(): void };

/** A job that stays until it is told to end. */
function held(name = 'test.held', more: Partial<Kind<string>> = {}): Held {
  const begun = Promise.withResolvers<Work>();
  const released = Promise.withResolvers<void>();
  const ran: string[] = [];
  return {
    name,
    about: 'Stays',
    ...more,
    begun: begun.promise,
    ran,
    release: () => released.resolve(),
    async run(payload, work) {
      ran.push(payload);
      begun.resolve(work);
      await released.promise;
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

onBothStores('several processes at one queue', (engine) => {
  test('each job is done by one of them', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const ran: number[] = [];
    const kind: Kind<number> = {
      name: 'test.count',
      about: 'Counts',
      lane: { name: 'count', atOnce: 16 },
      run: async (n) => ({ ran: ran.push(n) }),
    };
    const queue = one.jobs.kind(kind);
    other.jobs.kind(kind);
    await Promise.all(Array.from({ length: 200 }, (_, n) => queue.add(n)));
    await Promise.all([one.jobs.settled(), other.jobs.settled()]);
    assert.deepEqual(
      ran.sort((a, b) => a - b),
      Array.from({ length: 200 }, (_, n) => n),
    );
    const ended = async ({ jobs }: TestQueue) => (await jobs.figures()).ended[0]?.jobs ?? 0;
    assert.equal((await ended(one)) + (await ended(other)), 200);
  });

  test('of jobs that must be alone, one runs at a time, whatever their kinds and wherever', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    let inside = 0;
    let most = 0;
    const run = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
      return undefined;
    };
    const kinds = ['test.first', 'test.second'].map((name): Kind<null> => ({ name, about: 'Is alone', run }));
    const queues = kinds.map((kind) => one.jobs.kind(kind));
    for (const kind of kinds) other.jobs.kind(kind);
    for (let at = 0; at < 20; at++) await queues[at % 2]?.add(null, { alone: 'picture 7' });
    const left = async () => (await one.jobs.list({ status: 'queued', most: 100 })).length;
    while ((await left()) > 0) await Promise.all([one.jobs.settled(), other.jobs.settled()]);
    assert.equal(most, 1);
    assert.equal((await one.jobs.list({ status: 'done', most: 100 })).length, 20);
  });

  test('a lane carries so many at once, and another does not wait for it', async () => {
    const { jobs } = await aQueue(engine);
    const lane = { name: 'pictures', atOnce: 1 };
    const first = held('test.first', { lane });
    const second = held('test.second', { lane });
    const free = held('test.free');
    await jobs.kind(first).add('a');
    await jobs.kind(second).add('b');
    await jobs.kind(free).add('c');
    const settled = jobs.settled();
    await Promise.all([first.begun, free.begun]);
    assert.deepEqual(second.ran, []);
    for (const kind of [first, second, free]) kind.release();
    await settled;
    assert.deepEqual(second.ran, ['b']);
  });

  test('a job whose process is silent for too long is taken over, and the silent one writes nothing more', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const [mine, theirs] = [held(), held()];
    const id = await one.jobs.kind(mine).add('x');
    other.jobs.kind(theirs);
    const settled = one.jobs.settled();
    const work = await mine.begun;
    one.clock.pass(60_001);
    const over = other.jobs.settled();
    const again = await theirs.begun;
    assert.equal(again.attempt, 2);
    await assert.rejects(work.total(5), /Another process/);
    assert.ok(work.signal.aborted);
    mine.release();
    await settled;
    assert.equal((await one.jobs.find(id))?.status, 'running');
    theirs.release();
    await over;
    const job = await one.jobs.find(id);
    assert.deepEqual([job?.status, job?.total], ['done', 0]);
  });

  test('a process that says that it is there keeps its jobs', async () => {
    const one = await aQueue(engine, { lease: 400 });
    const other = await one.another();
    const [mine, theirs] = [held(), held()];
    const id = await one.jobs.kind(mine).add('x');
    other.jobs.kind(theirs);
    const settled = one.jobs.settled();
    await mine.begun;
    const until = () => one.store.db.selectFrom('jobs').select('leased_until').executeTakeFirstOrThrow();
    const before = await until();
    one.clock.pass(300);
    while ((await until()).leased_until === before.leased_until) await new Promise(setImmediate);
    one.clock.pass(300);
    await other.jobs.settled();
    assert.deepEqual(theirs.ran, []);
    mine.release();
    await settled;
    assert.equal((await one.jobs.find(id))?.status, 'done');
  });

  test('a job that ends its process each time is given up, with the reason', async () => {
    const { jobs, store, clock } = await aQueue(engine);
    const kind = held('test.poison', { confidential: true });
    const id = await jobs.kind(kind).add('x');
    const dies = (attempt: number) => {
      const claim = { status: 'running', token: 'of the dead', attempt, leased_until: clock.in(-1).toISOString() };
      return store.write((tx) => tx.updateTable('jobs').set(claim).execute());
    };
    await dies(4);
    await jobs.settled();
    const back = await jobs.find(id);
    assert.equal(back?.status, 'queued');
    assert.ok(back.run_at >= clock.in(3 * 60_000).toISOString(), 'it waits longer each time');
    await dies(5);
    await jobs.settled();
    const job = await jobs.find(id);
    assert.deepEqual([job?.status, job?.errors[0]?.code], ['failed', 'process_lost']);
    assert.deepEqual(kind.ran, []);
    assert.equal((await store.db.selectFrom('jobs').select('payload').executeTakeFirst())?.payload, null);
  });

  test('a job is cancelled from another process, between two items', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const third = Promise.withResolvers<void>();
    const kind: Kind<null> = {
      name: 'test.long',
      about: 'Takes long',
      async run(_, { each, signal }) {
        const items = [1, 2, 3, 4, 5];
        await each(() => items, {
          key: String,
          async do(item) {
            if (item !== 3) return;
            third.resolve();
            await aborted(signal);
          },
        });
      },
    };
    const id = await one.jobs.kind(kind).add(null);
    const settled = one.jobs.settled();
    await third.promise;
    assert.equal(await other.jobs.cancel(id), true);
    await settled;
    const job = await other.jobs.find(id);
    assert.deepEqual([job?.status, job?.done, job?.failed], ['cancelled', 3, 0]);
    assert.equal(await other.jobs.cancel(id), false);
  });

  test('what is stopped goes back at once, and another process goes on after the last item', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const seen: string[] = [];
    const third = Promise.withResolvers<void>();
    const kindOf = (who: string): Kind<null> => ({
      name: 'test.long',
      about: 'Takes long',
      async run(_, { each, signal, total }) {
        const items = [1, 2, 3, 4, 5];
        await total(5);
        for (const step of ['a', 'b'])
          await each((after) => items.filter((item) => item > Number(after ?? 0)), {
            key: String,
            async do(item) {
              seen.push(`${who} ${step}${item}`);
              if (who !== 'one' || step !== 'b' || item !== 3) return;
              third.resolve();
              await aborted(signal);
            },
          });
      },
    });
    const id = await one.jobs.kind(kindOf('one')).add(null);
    other.jobs.kind(kindOf('other'));
    one.jobs.start();
    await third.promise;
    await one.jobs.stop();
    const back = await other.jobs.find(id);
    assert.deepEqual([back?.status, back?.done, back?.attempt], ['queued', 8, 0]);
    await other.jobs.settled();
    const job = await other.jobs.find(id);
    assert.deepEqual([job?.status, job?.done, job?.total], ['done', 10, 10]);
    assert.deepEqual(seen.slice(-3), ['one b3', 'other b4', 'other b5']);
  });

  test('a job that does not heed that it is to stop is left to its lease, and told of', async () => {
    const one = await aQueue(engine, { grace: 10 });
    const other = await one.another();
    const [deaf, theirs] = [held(), held()];
    const id = await one.jobs.kind(deaf).add('x');
    other.jobs.kind(theirs);
    one.jobs.start();
    await deaf.begun;
    await one.jobs.stop();
    assert.ok(one.log.lines.some(({ message }) => /did not stop within the time limit/.test(message)));
    await other.jobs.settled();
    assert.deepEqual([(await other.jobs.find(id))?.status, theirs.ran], ['running', []]);
    other.clock.pass(60_001);
    theirs.release();
    await other.jobs.settled();
    assert.equal((await other.jobs.find(id))?.status, 'done');
    deaf.release();
  });

  test('a job that was lost and comes back to the same process waits for what still goes on of it there', async () => {
    const { jobs, store, clock } = await aQueue(engine);
    const first = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    const doing: string[] = [];
    const kind: Kind<null> = {
      name: 'test.deaf',
      about: 'Does not heed',
      async run(_, { attempt, total }) {
        doing.push(`${attempt} begins`);
        if (attempt === 1) {
          first.resolve();
          await lost.promise;
          await assert.rejects(total(1), /Another process/);
        }
        doing.push(`${attempt} ends`);
      },
    };
    const id = await jobs.kind(kind).add(null);
    const settled = jobs.settled();
    await first.promise;
    const claim = { token: 'of another that died', leased_until: clock.in(-1).toISOString() };
    await store.write((tx) => tx.updateTable('jobs').set(claim).execute());
    const again = jobs.settled();
    while ((await jobs.find(id))?.attempt === 1) await new Promise(setImmediate);
    lost.resolve();
    await Promise.all([settled, again]);
    assert.deepEqual(doing, ['1 begins', '1 ends', '2 begins', '2 ends']);
    assert.equal((await jobs.find(id))?.status, 'done');
  });

  test('what was cancelled while its process died ends without being begun', async () => {
    const { jobs, store, clock } = await aQueue(engine);
    const kind = held();
    const id = await jobs.kind(kind).add('x');
    const claim = { status: 'running', token: 'of the dead', attempt: 1, leased_until: clock.in(-1).toISOString() };
    await store.write((tx) => tx.updateTable('jobs').set(claim).execute());
    assert.equal(await jobs.cancel(id), true);
    await jobs.settled();
    assert.equal((await jobs.find(id))?.status, 'cancelled');
    assert.deepEqual(kind.ran, []);
  });

  test('a worker hears of a job that another process added', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const [mine, theirs] = [held(), held()];
    one.jobs.kind(mine);
    one.jobs.start();
    await other.jobs.kind(theirs).add('x');
    await mine.begun;
    mine.release();
    await one.jobs.settled();
  });
});
