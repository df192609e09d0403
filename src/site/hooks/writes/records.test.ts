import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { siteTables } from '../../tables.ts';
import { isKnownTable } from './records.ts';

eachEngine('Kinds of records', (engine) => {
  test('are known of every table of the site, or that it holds none', async () => {
    const store = await engine.store(siteTables, await engine.place(siteTables));
    const tables = await store.snapshot(async ({ tables: all }) => all.map(({ name }) => name));
    assert.ok(tables.length > 20);
    assert.deepEqual(
      tables.filter((table) => !isKnownTable(table)),
      [],
    );
    await store.close();
  });
});
