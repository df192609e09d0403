// The reference for jobs: a loop that claims one, and deletes it when it is done, each a durable statement of the engine's own
// driver.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { given, offer } from '../child.ts';
import type { BareJobsAsked } from '../jobs.ts';

interface Bare {
  fill(many: number): unknown;
  /** The number of the job, if there was one. */
  claim(): Promise<number | undefined> | number | undefined;
  remove(number: number): unknown;
}

const payload = JSON.stringify({ letter: 1 });
const first = `SELECT number FROM jobs WHERE status = 'queued' ORDER BY number LIMIT 1`;

function inSqlite(file: string): Bare {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    CREATE TABLE jobs (number INTEGER PRIMARY KEY, status TEXT, payload TEXT);
    CREATE INDEX due ON jobs (status, number);`);
  const insert = database.prepare(`INSERT INTO jobs (status, payload) VALUES ('queued', ?)`);
  const claim = database.prepare(
    `UPDATE jobs SET status = 'running' WHERE number = (${first}) RETURNING number, payload`,
  );
  const remove = database.prepare('DELETE FROM jobs WHERE number = ?');
  return {
    fill(many) {
      database.exec('BEGIN');
      for (let at = 0; at < many; at++) insert.run(payload);
      database.exec('COMMIT');
    },
    claim: () => claim.get()?.number as number | undefined,
    remove: (number) => remove.run(number),
  };
}

async function inPostgres(url: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'CREATE TABLE jobs (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text, payload text)',
  );
  await client.query('CREATE INDEX due ON jobs (status, number)');
  const text = `UPDATE jobs SET status = 'running' WHERE number = (${first} FOR UPDATE SKIP LOCKED) RETURNING number, payload`;
  return {
    fill: (many) =>
      client.query(`INSERT INTO jobs (status, payload) SELECT 'queued', $1 FROM generate_series(1, $2)`, [
        payload,
        many,
      ]),
    claim: async () => (await client.query({ name: 'claim', text })).rows[0]?.number,
    remove: (number) => client.query({ name: 'remove', text: 'DELETE FROM jobs WHERE number = $1', values: [number] }),
  };
}

const { file, database } = given<BareJobsAsked>();
const bare = file === undefined ? await inPostgres(database!) : inSqlite(file);

offer({
  fill: ({ many }: { many: number }) => void bare.fill(many),
  async work() {
    const started = performance.now();
    for (let done = 0; ; done++) {
      const number = await bare.claim();
      if (number === undefined) return { done, milliseconds: performance.now() - started };
      await bare.remove(number);
    }
  },
});
