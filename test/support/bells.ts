// An extension with tables of every sort, as a package of two versions: for whoever carries what installed extensions keep.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '#site/files/files.ts';
import { packagePath } from '#site/packages/keeping.ts';
import { packageTables } from '#site/packages/tables.ts';
import type { Loaded, Workshop } from '#site/transfer/backup/packages.ts';
import { fetchFrom, ownerOf, type Package } from '#site/transfer/backup/packages.ts';
import type { AnyStore } from '#store/store.ts';
import { tablesOf } from '../../src/boot/installed-packages.ts';
import type { TestEngine } from './databases.ts';
import { bell } from './shop.ts';
import { madeZip } from './zips.ts';

/** Whom the tables belong to in these tests, beside the package. */
export const programs = [packageTables];

const first = `{
  name: '0001-bells',
  up: async ({ db, table, column }) => {
    await table('bell_towers')
      .addColumn('id', column.id)
      .addColumn('name', column.text, (c) => c.notNull().unique())
      .addColumn('under', column.integer, (c) => c.references('bell_towers.id'))
      .execute();
    await table('bell_rings')
      .addColumn('tower', column.integer, (c) => c.notNull().references('bell_towers.id'))
      .addColumn('loud', column.flag, (c) => c.notNull().defaultTo(0))
      .addColumn('weight', column.real)
      .addColumn('sound', column.bytes)
      .execute();
    await db.schema.createIndex('bell_loud').on('bell_rings').column('tower').unique().where('loud', '=', 1).execute();
    await table('bell_counts').addColumn('rings', column.integer).execute();
  },
}`;

const second = `{
  name: '0002-ropes',
  up: async ({ db, table, column }) => {
    await table('bell_ropes').addColumn('id', column.id).addColumn('length', column.real).execute();
    const towers = () => db.schema.alterTable('bell_towers');
    await towers().addColumn('height', column.real).execute();
    await towers().addColumn('rope', column.integer, (c) => c.references('bell_ropes.id')).execute();
  },
}`;

/** What is loud when the backup is made has rung out by the time it is put back. */
const tables = (migrations: readonly string[]): string => `{
  migrations: [${migrations.join()}],
  derived: {
    bell_counts: async (tx) => {
      await tx.deleteFrom('bell_counts').execute();
      const { n } = await tx.selectFrom('bell_rings').select((of) => of.fn.countAll().as('n')).executeTakeFirstOrThrow();
      await tx.insertInto('bell_counts').values({ rings: Number(n) }).execute();
    },
  },
  restored: async (tx) => void (await tx.updateTable('bell_rings').set({ loud: 0 }).execute()),
}`;

const entryWith = (said: string): string => `export default () => ({ name: 'bell', nouns: () => ({}), ${said} });`;

export const bells = {
  first: entryWith(`tables: ${tables([first])}`),
  second: entryWith(`tables: ${tables([first, second])}`),
  broken: 'throw new Error("The rope is torn.");',
};

export interface Belfry {
  readonly store: AnyStore;
  readonly files: Files;
}

/** Its row and its package, as an install leaves them; what was there is replaced. */
export async function install({ store, files }: Belfry, entry: string): Promise<Package> {
  const content = JSON.stringify({ ...bell, namespaces: [] });
  const bytes = madeZip([
    { name: 'extension.json', content },
    { name: 'extension.ts', content: entry },
  ]);
  const one = { slug: bell.slug, sha256: createHash('sha256').update(bytes).digest('hex') };
  await files.put(packagePath(one), bytes);
  const row = { ...one, active: 1, version: bell.version, size: bytes.length, manifest: content, files: '[]' };
  await store.write(async (tx) => {
    await tx.deleteFrom('extensions').execute();
    await tx.insertInto('extensions').values(row).execute();
  });
  return one;
}

/** The same switched on: its tables are there. */
export async function hang(engine: TestEngine, belfry: Belfry, entry: string): Promise<Loaded> {
  const one = await install(belfry, entry);
  const workshop = aWorkshop(engine);
  await fetchFrom(belfry.files, workshop, one);
  const owner = await ownerOf(workshop, one);
  await belfry.store.adopt(owner);
  return { owners: [owner], absent: new Map() };
}

export function aWorkshop(engine: Pick<TestEngine, 'atEnd'>): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return { folder: async () => folder, declared: tablesOf };
}
