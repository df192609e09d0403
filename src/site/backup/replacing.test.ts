import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TableOwner } from '#store/migrate.ts';
import { archiveOf, archivesIn, written } from '#test/archives.ts';
import { eachEngine, keptLog, type Place } from '#test/databases.ts';
import { everyKind } from '#test/every-kind.ts';
import { allOf, contentOf } from '#test/files-suite.ts';
import type { Files } from '../files/files.ts';
import { openLocalFiles } from '../files/local/local.ts';
import type { Manifest } from './format.ts';
import { prepareRestore } from './restore.ts';
import type { Row } from './rows.ts';

const now = new Date('2026-11-20T12:00:00Z');
const owners: readonly TableOwner[] = [everyKind];

eachEngine('What a restore that fails leaves', (engine) => {
  const archives = archivesIn(engine);

  async function media(content: Readonly<Record<string, string>>): Promise<Files> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true }));
    const files = await openLocalFiles(folder, now);
    for (const [path, text] of Object.entries(content)) await files.put(path, Buffer.from(text));
    return files;
  }

  async function contents(files: Files): Promise<Record<string, string | undefined>> {
    const all: Record<string, string | undefined> = {};
    for (const path of await allOf(files.list())) all[path] = await contentOf(files, path);
    return all;
  }

  const prepared = async (bytes: Buffer, place: Place, files: Files) =>
    prepareRestore({
      archive: await archives.open(bytes),
      store: { ...place, tables: owners, log: keptLog() },
      files: async () => files,
      secretRemedy: '',
    });

  /** An archive of these rows and files, whether or not a database takes them. */
  async function anArchive(rows: readonly Row[], files: Readonly<Record<string, string>>): Promise<Buffer> {
    const place = await engine.place();
    await engine.store(owners, place);
    const { manifest } = await archives.inspect((await archiveOf(place, owners)).bytes);
    const full: Manifest = { ...manifest, media: true };
    return written(async (writer) => {
      await writer.begin(full);
      for (const table of full.tables) await writer.table(table, each(rows));
      for (const [path, content] of Object.entries(files)) {
        const file = { path, size: content.length, modified: now.toISOString() };
        await writer.file(file);
        await writer.content(Buffer.from(content));
        await writer.whole(file);
      }
    });
  }

  const twice = [{ id: 1 }, { id: 1 }];
  const archived = { 'a.jpg': 'archived', 'b/c.jpg': 'archived too' };

  test('is every file that somebody else put there, even one of the same path and length', async () => {
    const files = await media({ 'a.jpg': 'mine now' });
    const { standing } = await prepared(await anArchive([], archived), await engine.place(), files);
    assert.deepEqual(standing, { database: false, files: true });
    const { carryOut } = await prepared(await anArchive(twice, archived), await engine.place(), files);
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contents(files), { 'a.jpg': 'mine now' });
  });

  test('is the site that was to be replaced, with its rows and its files', async () => {
    const before = { 'a.jpg': 'edited since', 'only-here.jpg': 'x' };
    const files = await media(before);
    const place = await engine.place();
    const store = await engine.store(owners, place);
    await store.write((tx) => tx.insertInto('kinds').values({ text: 'stays' }).execute());
    const { standing, carryOut } = await prepared(await anArchive(twice, archived), place, files);
    assert.deepEqual(standing, { database: true, files: true });
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contents(files), before);
    assert.equal((await store.db.selectFrom('kinds').selectAll().execute()).length, 1);
  });

  test('is an empty place where nothing was, into which the next goes', async () => {
    const [place, files] = [await engine.place(), await media({})];
    const { carryOut } = await prepared(await anArchive(twice, archived), place, files);
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contents(files), {});
    const again = await prepared(await anArchive([{ id: 1 }], archived), place, files);
    assert.deepEqual(again.standing, { database: false, files: false });
    await again.carryOut();
    assert.deepEqual(await contents(files), archived);
  });

  test('is everything, when its files cannot all lie in a folder', async () => {
    const bytes = await anArchive([], { a: 'x', 'a.txt': 'x', 'a/b': 'x' });
    await assert.rejects(prepared(bytes, await engine.place(), await media({})), {
      name: 'ArchiveProblem',
      message: /^The archive holds a file a and a folder of that path,/,
    });
  });

  test('is everything, when no number could be given after its rows', async () => {
    const bytes = await anArchive([{ id: 2 ** 53 - 1 }], {});
    await assert.rejects(prepared(bytes, await engine.place(), await media({})), {
      message: /^The archive is damaged: a row of kinds has a number after which none could be given/,
    });
  });
});

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
