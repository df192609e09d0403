import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '#store/store.ts';
import { keptLog, type Place, testEngine } from '#test/databases.ts';
import { type PostgresServer, startPostgres } from '#test/postgres.ts';
import { seededRandom } from '#test/seeded-random.ts';
import type { HelloTables } from '../../examples/hello/tables.ts';
import { Greeters, type Greeting, SiteProcess } from './site-process.ts';

const random = seededRandom();

// Fewer while one works on it; the suite runs all.
const ROUNDS = Number(process.env.GATEHOUSE_FAULT_ROUNDS ?? 50);
const MIDST = 150; // ms within which the blow falls

/** Every acknowledged greeting is there, word for word, and the database is sound. */
async function nothingLost(place: Place, acknowledged: readonly Greeting[]) {
  const store: Store<HelloTables> = await openStore({ ...place, tables: [], log: keptLog() });
  try {
    const rows = await store.db.selectFrom('hello_greetings').select(['id', 'text']).execute();
    const kept = new Map(rows.map(({ id, text }) => [id, text]));
    assert.deepEqual(
      acknowledged.filter(({ id, text }) => kept.get(id) !== text),
      [],
    );
    assert.deepEqual(await store.check(), []);
  } finally {
    await store.close();
  }
}

/** One round: 16 greeters, a blow at a random moment, a look at what is left. */
async function strike(place: Place, greeters: Greeters, round: number, blow: (site: SiteProcess) => Promise<void>) {
  const site = await SiteProcess.start(place);
  const before = greeters.acknowledged().length;
  const greeting = greeters.greet(site, `round ${round}`);
  try {
    while (greeters.acknowledged().length === before) await pause(2);
    await pause(random() * MIDST);
    await blow(site);
  } finally {
    greeters.stop();
    await site.kill();
    await greeting;
  }
  await nothingLost(place, greeters.acknowledged());
}

describe(`A site killed ${ROUNDS} times under 16 writers loses nothing it acknowledged`, { concurrency: 2 }, () => {
  const folders = testEngine('sqlite');
  let [onSqlite, besidePostgres]: Place[] = [];
  before(async () => {
    [onSqlite, besidePostgres] = [await folders.place(), await folders.place()];
  });

  test('on SQLite', async () => {
    const place = onSqlite!;
    const greeters = new Greeters(join(place.data, 'acknowledged.txt'));
    for (let round = 0; round < ROUNDS; round++) await strike(place, greeters, round, (site) => site.kill());
    assert.deepEqual(greeters.refused, []);
  });

  test('on PostgreSQL, whose server is killed in two rounds of three', async () => {
    const server = await startPostgres();
    try {
      const place = { ...besidePostgres!, database: server.url };
      const greeters = new Greeters(join(place.data, 'acknowledged.txt'));
      for (let round = 0; round < ROUNDS; round++) await strike(place, greeters, round, blows(server)[round % 3]!);
      const unlike503 = greeters.refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null);
      assert.deepEqual(unlike503, []);
    } finally {
      await server.stop();
    }
  });
});

const blows = (server: PostgresServer) => [
  (site: SiteProcess) => site.kill(),
  async () => {
    await server.kill();
    await server.start();
  },
  async (site: SiteProcess) => {
    await Promise.all([site.kill(), server.kill()]);
    await server.start();
  },
];
