import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { asked, testEngine, withoutPostgres } from '#test/databases.ts';
import { shelf } from '#test/shelf.ts';
import { isOutdated } from './failures.ts';
import { Statements } from './statements.ts';

describe('Statements on PostgreSQL', { skip: withoutPostgres }, () => {
  const engine = testEngine('postgres');

  async function connected(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    engine.atEnd(() => client.end());
    return client;
  }

  test('get new names once, however many connections find out that a table has other columns', async () => {
    const place = await engine.place();
    await engine.store([shelf], place);
    const { database: url = '' } = place;
    const clients = await Promise.all([connected(url), connected(url), connected(url)]);
    const statements = new Statements();
    const query = CompiledQuery.raw('select * from books');
    const onEach = () => Promise.allSettled(clients.map((client) => statements.run(client, query)));
    // What comes once gets no name.
    await onEach();
    await onEach();
    await asked(url, "alter table books add column place text not null default 'here'");
    for (const one of await onEach()) assert.ok(one.status === 'rejected' && isOutdated(one.reason));
    for (const one of await onEach()) assert.equal(one.status, 'fulfilled');
    for (const client of clients) {
      const { rows } = await client.query('select name from pg_prepared_statements order by name');
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['g0.0', 'g1.0'],
      );
    }
  });
});
