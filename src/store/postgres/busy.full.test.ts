// In real seconds: a pool that is busy and a process that is blocked are told from a server that is silent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Unavailable } from '#lib/failures.ts';
import { keptLog } from '#test/databases.ts';
import { inTime } from '#test/in-time.ts';
import { type PostgresServer, startPostgres } from '#test/postgres.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { openStore, type Store } from '../store.ts';

/** Milliseconds within which a silent server is noticed. */
const noticed = 5000;

function block(milliseconds: number): void {
  const begun = performance.now();
  while (performance.now() - begun < milliseconds);
}

describe('PostgreSQL behind a pool of two connections', () => {
  let server: PostgresServer;
  let store: Store<ShelfTables>;

  before(async () => {
    server = await startPostgres();
    const database = `${server.url}?pool_size=2`;
    store = await openStore({ database, data: '/nowhere', tables: [shelf], log: keptLog() });
  });

  after(async () => {
    await store.close();
    await server.stop();
  });

  const count = async () => (await store.db.selectFrom('books').select('id').execute()).length;
  const slowly = (seconds: number) => sql`select pg_sleep(${sql.lit(seconds)})`.execute(store.db);

  test('serves who waits longer for a connection than opening one may take, and is there meanwhile', async () => {
    const long = [slowly(5), slowly(5)];
    const waiting = Array.from({ length: 10 }, count);
    const ping = store.ping();
    await Promise.all([...long, ...waiting, ping]);
  });

  test('serves a process that was blocked for longer while it opened a connection', async () => {
    const fresh = await openStore({ database: server.url, data: '/nowhere', tables: [shelf], log: keptLog() });
    const asked = Array.from({ length: 6 }, () => fresh.db.selectFrom('books').select('id').execute());
    await new Promise(setImmediate);
    block(4000);
    await Promise.all(asked);
    block(4000);
    await fresh.ping();
    await fresh.close();
  });

  for (const [when, begin] of [
    ['in the middle of a statement', () => [slowly(60), slowly(60)]],
    ['while a connection is opened', () => []],
  ] as const)
    test(`is noticed within 5 seconds when it freezes ${when}, also by who waits, and works on afterwards`, async () => {
      const running = begin().map((statement) => assert.rejects(statement, Unavailable));
      await new Promise(setImmediate);
      server.freeze();
      const begun = performance.now();
      const refused = async (work: () => Promise<unknown>) => {
        await assert.rejects(work, Unavailable);
        inTime(performance.now() - begun, noticed);
      };
      await Promise.all([...running, refused(() => store.ping()), ...Array.from({ length: 30 }, () => refused(count))]);
      // The next callers find no connection, and are refused as soon.
      const again = performance.now();
      await Promise.all(Array.from({ length: 30 }, () => assert.rejects(count, Unavailable)));
      inTime(performance.now() - again, noticed);
      server.thaw();
      assert.equal(await count(), 0);
      await store.ping();
    });
});
