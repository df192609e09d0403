import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#lib/failures.ts';
import { asked, keptLog } from '#test/databases.ts';
import { type PostgresServer, startPostgres } from '#test/postgres.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { StoreProblem } from '../problem.ts';
import { openStore, type Store } from '../store.ts';

const open = (database: string): Promise<Store<ShelfTables>> =>
  openStore({ database, data: '/nowhere', tables: [shelf], log: keptLog() });

/** Asks again until it no longer fails, as a client that heeds `Retry-After` would. */
async function eventually<R>(ask: () => Promise<R>): Promise<R> {
  for (const deadline = performance.now() + 120_000; ; await pause(50)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

describe('A PostgreSQL server that goes away', () => {
  let server: PostgresServer;
  let store: Store<ShelfTables>;
  let other: Store<ShelfTables>;

  before(async () => {
    server = await startPostgres();
    store = await open(server.url);
    other = await open(server.url);
  });

  after(async () => {
    await store.close();
    await other.close();
    await server.stop();
  });

  const add = (title: string, to = store) => to.write((tx) => tx.insertInto('books').values({ title }).execute());
  const count = async () => (await store.db.selectFrom('books').select('id').execute()).length;

  test('makes reads and writes say so, and both work again by themselves when it is back', async () => {
    await add('before');
    await server.halt();
    await assert.rejects(add('while away'), (error) => error instanceof Unavailable && error.retryAfter > 0);
    await assert.rejects(store.ping(), Unavailable);
    await server.start();
    await eventually(() => add('after'));
    assert.equal(await count(), 2);
  });

  test('in the middle of a write undoes it, and the writer is told', async () => {
    const before = await count();
    const cut = store.write(async (tx) => {
      await tx.insertInto('books').values({ title: 'cut' }).execute();
      await server.kill();
      await tx.insertInto('books').values({ title: 'off' }).execute();
    });
    await assert.rejects(cut, Unavailable);
    await server.start();
    assert.equal(await eventually(count), before);
  });

  test('does not make a listener miss what changed meanwhile', async () => {
    await eventually(() => add('seen'));
    await server.halt();
    await server.start();
    // Through neither store's listener: as if a third process wrote before they listen again.
    await asked(
      server.url,
      "update changes set counter = counter + 10 where topic = 'books' and slot = (select min(slot) from changes)",
    );
    const [{ counter } = { counter: 0 }] = await asked(
      server.url,
      "select sum(counter)::int as counter from changes where topic = 'books'",
    );
    await eventually(async () => assert.equal(other.changes.at('books'), counter));
  });

  test('or only cuts single connections: the next question gets a new one', async () => {
    const kill = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse'";
    await asked(server.url, kill);
    await eventually(() => add('new connection'));
    await eventually(() => store.ping());
  });
});

test('A PostgreSQL server that would lose writes in a power cut is refused in one sentence', async () => {
  const server = await startPostgres({ fsync: 'off' });
  await assert.rejects(open(server.url), (error) => {
    assert.ok(error instanceof StoreProblem);
    assert.match(error.message, /runs with fsync off and would lose writes in a power cut; turn fsync on\.$/);
    return true;
  });
  await server.stop();
});

test('How long a server may take to answer stands in its address', async (t) => {
  const mute = createServer((socket) => void t.after(() => socket.destroy())).listen(0, '127.0.0.1');
  t.after(() => mute.close());
  await once(mute, 'listening');
  const address = (seconds: string) =>
    `postgres://somebody@127.0.0.1:${(mute.address() as AddressInfo).port}/site?connect_timeout=${seconds}`;
  const begun = performance.now();
  await assert.rejects(open(address('4')), /cannot be reached/);
  assert.ok(performance.now() - begun > 3_900);
});
