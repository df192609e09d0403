// A PostgreSQL of its own for the length of some work.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '#test/postgres.ts';

/** So many empty databases. */
export async function onPostgres<R>(many: number, work: (databases: readonly string[]) => Promise<R>): Promise<R> {
  const server = await startPostgres();
  try {
    return await work(await Promise.all(Array.from({ length: many }, () => emptyDatabase(server.url))));
  } finally {
    await server.stop();
  }
}

async function emptyDatabase(server: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await stated(server, `create database ${name}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

/** One statement on a connection of its own. */
export async function stated(database: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(statement);
  await client.end();
}
