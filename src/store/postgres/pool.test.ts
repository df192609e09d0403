// A pool whose connections are all in use is busy; only a server that says nothing is away.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { testEngine, withoutPostgres } from '#test/databases.ts';
import { SilentServer } from './client.ts';
import { startDeadline, type Timers } from './deadline.ts';
import { ConnectionPool, type PoolOptions } from './pool.ts';
import { clientConfig } from './session.ts';

/** Time that passes when the test says so. */
class FakeTimers implements Timers {
  #now = 0;
  readonly #armed = new Set<{ readonly due: number; run(): void }>();
  now = (): number => this.#now;

  after = (milliseconds: number, run: () => void) => {
    const timer = { due: this.#now + milliseconds, run };
    this.#armed.add(timer);
    return () => void this.#armed.delete(timer);
  };

  /** The process runs, and each timer is on time. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#armed].filter(({ due }) => due <= end).toSorted((one, other) => one.due - other.due);
      if (next === undefined) break;
      this.#now = next.due;
      this.#fire(next);
    }
    this.#now = end;
  }

  /** The process does nothing, and then runs every timer that is due by now. */
  block(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of [...this.#armed]) if (timer.due <= this.#now) this.#fire(timer);
  }

  #fire(timer: { run(): void }): void {
    this.#armed.delete(timer as never);
    timer.run();
  }
}

describe('A pool of one connection', { skip: withoutPostgres }, () => {
  const engine = testEngine('postgres');

  const aPool = async (more: Partial<PoolOptions> = {}) => {
    const timers = new FakeTimers();
    const { database = '' } = await engine.place();
    const options = { ...clientConfig(database), openingLimit: 3000, turnLimit: 30_000, size: 1, timers };
    const pool = new ConnectionPool({ ...options, ...more });
    engine.atEnd(() => pool.end());
    return { pool, timers };
  };
  const turn = () => new Promise(setImmediate);

  test('lets a caller wait for its turn longer than opening a connection may take, and open one then', async () => {
    const { pool, timers } = await aPool();
    const first = await pool.connect();
    const waiting = pool.connect();
    timers.pass(29_900);
    assert.equal(pool.counts().wanted, 1);
    // The connection is closed, so the caller that waited opens another, and has all of the time for it.
    first.release(true);
    const second = await waiting;
    assert.deepEqual((await second.query('select 1 as one')).rows, [{ one: 1 }]);
    second.release();
  });

  test('tells a caller that waited too long that it is busy, and serves the next', async () => {
    const { pool, timers } = await aPool();
    const first = await pool.connect();
    const late = assert.rejects(pool.connect(), {
      name: 'Busy',
      message: 'All 1 connections of a pool were in use for 30 seconds.',
    });
    timers.pass(20_000);
    const next = pool.connect();
    timers.pass(10_000);
    await late;
    first.release();
    assert.equal(await next, first, 'the same connection');
    assert.deepEqual(pool.counts(), { busy: 1, idle: 0, wanted: 0 });
    first.release();
  });

  test('notices a server that takes connections and says nothing, and no caller waits longer than the first', async (t) => {
    const mute = createServer((socket) => void t.after(() => socket.destroy())).listen(0, '127.0.0.1');
    t.after(() => mute.close());
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const { pool, timers } = await aPool({
      connectionString: `postgres://nobody@127.0.0.1:${port}/site`,
      onSilence: () => pool.refuseWaiting(new SilentServer()),
    });
    const refused = Promise.all([1, 2, 3].map(() => assert.rejects(pool.connect(), SilentServer)));
    await once(mute, 'connection');
    timers.pass(2900);
    await turn();
    assert.deepEqual(pool.counts(), { busy: 1, idle: 0, wanted: 2 });
    timers.pass(100);
    await refused;
  });
});

test('A deadline counts the time in which the process could read what arrived, and always ends', () => {
  const cases: Record<string, { run: (timers: FakeTimers) => void; isOver: boolean }> = {
    'a free process, just before': { run: (timers) => timers.pass(2990), isOver: false },
    'a free process': { run: (timers) => timers.pass(3000), isOver: true },
    'a blocked one': { run: (timers) => timers.block(4000), isOver: false },
    'blocked at the end': {
      run: (timers) => {
        timers.pass(2900);
        timers.block(60_000);
      },
      isOver: false,
    },
    'blocked, and then free for as long as it may take': {
      run: (timers) => {
        timers.block(4000);
        timers.pass(3000);
      },
      isOver: true,
    },
    'blocked again and again': {
      run: (timers) => {
        for (let times = 0; times < 24; times++) timers.block(1000);
      },
      isOver: true,
    },
  };
  const offenders = Object.entries(cases).filter(([, { run, isOver }]) => {
    const timers = new FakeTimers();
    let expired = 0;
    startDeadline(3000, () => (expired += 1), timers);
    run(timers);
    return expired !== Number(isOver);
  });
  assert.deepEqual(
    offenders.map(([name]) => name),
    [],
  );
});
