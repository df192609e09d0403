// A site for the command line to move things into, and what it then holds.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Told } from '#site/transfer/import/report.ts';
import { tableOwners } from '../../src/boot/tables.ts';
import type { TestEngine } from './databases.ts';
import { aMadePlace } from './serving.ts';

const kept = [
  'posts',
  'post_meta',
  'old_slugs',
  'terms',
  'post_terms',
  'comments',
  'users',
  'media',
  'media_paths',
  'totals',
];

/** With an administrator called boss. */
export async function aPlace(engine: TestEngine) {
  const place = await aMadePlace(engine);
  const { data, where, run } = place;
  const boss = ['user', 'create', 'boss', '--email', 'boss@mail.example', '--role', 'administrator', '--generate'];
  assert.equal((await run(...boss)).code, 0);
  const database = where[where.indexOf('--database') + 1];
  const store = await engine.store(
    tableOwners(),
    where.includes('--database') ? { data, database: database! } : { data },
  );
  const rows = async (table: string) =>
    (await store.db
      .selectFrom(table as never)
      .selectAll()
      .execute()) as Record<string, never>[];
  return {
    ...place,
    store,
    rows,
    file(text: string | Buffer, name = 'export.xml') {
      writeFileSync(join(data, name), text);
      return join(data, name);
    },
    /** Everything that is kept, and how often each table was written. */
    async everything(tables: readonly string[] = [...kept, 'arrived', 'changes']) {
      const all = await Promise.all(
        tables.map(async (table) => [table, (await rows(table)).map((row) => JSON.stringify(row)).sort()]),
      );
      return Object.fromEntries(all) as Record<string, string[]>;
    },
    async post(title: string) {
      const found = (await rows('posts')).find((row) => row.title === title);
      assert.ok(found, title);
      return found as unknown as Record<string, string | number | null>;
    },
    async arrive(path: string, ...args: string[]) {
      const ended = await run('import', 'wxr', path, ...args, '--json');
      return { code: ended.code, told: ended.out === '' ? undefined : (JSON.parse(ended.out) as Told), err: ended.err };
    },
  };
}
