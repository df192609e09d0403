// Empty databases for the length of some work; PostgreSQL is a server of its own.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '#test/postgres.ts';
import { inFolder } from './folder.ts';

/** So many empty databases. */
export async function onPostgres<R>(many: number, work: (databases: readonly string[]) => Promise<R>): Promise<R> {
  const server = await startPostgres();
  try {
    return await work(await Promise.all(Array.from({ length: many }, () => emptyDatabase(server.url))));
  } finally {
    await server.stop();
  }
}

/** On the one engine and then on the other, each time in an empty place. */
export const onEach = <R>(work: (engine: string, place: Place) => Promise<R[]>): Promise<R[]> =>
  inFolder(async (folder) => [
    ...(await work('SQLite', { data: join(folder, 'site') })),
    ...(await onPostgres(1, ([database]) => work('PostgreSQL', { data: join(folder, 'other'), database: database! }))),
  ]);

export interface Place {
  readonly data: string;
  readonly database?: string | undefined;
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
