import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { keptLog } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { openStore, type Store } from '../store.ts';

describe('A file that is damaged while the site runs', () => {
  let folder: string;
  let store: Store<ShelfTables>;

  /** A store over a file whose tables are whole but for the one of the books. */
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    const open = () => openStore({ data: folder, tables: [shelf], log: keptLog() });
    await (await open()).close();
    const file = join(folder, 'gatehouse.db');
    const page = rootOf('books', file);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(file, bytes);
    store = await open();
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const plainly = (error: unknown) => {
    assert.ok(error instanceof Unavailable, String(error));
    assert.match(error.message, /^The database file is damaged; stop the site and restore the last good copy\.$/);
    return true;
  };

  test('is nobody’s mistake: who reads is told to come back, and the reason is plain', async () => {
    await assert.rejects(store.db.selectFrom('books').selectAll().execute(), plainly);
  });

  test('takes no write, and the file is not written', async () => {
    const before = statSync(join(folder, 'gatehouse.db')).mtimeMs;
    await assert.rejects(
      store.write((tx) => tx.insertInto('books').values({ title: 'lost' }).execute()),
      plainly,
    );
    assert.equal(statSync(join(folder, 'gatehouse.db')).mtimeMs, before);
  });
});

function rootOf(table: string, file: string): number {
  const database = new DatabaseSync(file);
  try {
    return Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
  } finally {
    database.close();
  }
}
