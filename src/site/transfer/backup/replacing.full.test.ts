import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TableOwner } from '#store/migrate.ts';
import type { AnyStore } from '#store/store.ts';
import { archiveOf, archivesIn, written } from '#test/archives.ts';
import { eachEngine, keptLog, type Place } from '#test/databases.ts';
import { everyKind } from '#test/every-kind.ts';
import { contentsOf, mediaWith } from '#test/media.ts';
import { checkRows } from '#test/rows.ts';
import type { Files } from '../../files/files.ts';
import type { Manifest } from './format.ts';
import { prepareRestore } from './restore.ts';
import type { Row } from './rows.ts';

const now = new Date('2026-11-20T12:00:00Z');
const owners: readonly TableOwner[] = [everyKind];

eachEngine('What a restore that fails leaves', (engine) => {
  const archives = archivesIn(engine);

  /** What is done where it is asked who works with the database is done right before the database changes. */
  const prepared = async (bytes: Buffer, place: Place, files: Files, isInUse = async () => false) =>
    prepareRestore({
      archive: await archives.open(bytes),
      store: { ...place, tables: owners, log: keptLog() },
      files: async () => files,
      secretRemedy: '',
      isInUse,
    });

  /** A site with a row and these files. */
  async function aSite(content: Readonly<Record<string, string>>) {
    const [place, files] = [await engine.place(), await mediaWith(engine, content)];
    const texts = await withRow(place);
    return { place, files, texts };
  }

  const withRow = async (place: Place) => row(await engine.store(owners, place));

  async function row(store: AnyStore) {
    await store.write((tx) => tx.insertInto('kinds').values({ text: 'stays' }).execute());
    return async () => (await store.db.selectFrom('kinds').select('text').execute()).map(({ text }) => text);
  }

  const asides = ({ place }: Files): string[] => {
    const folder = join(place, '.unfinished');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

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
    const files = await mediaWith(engine, { 'a.jpg': 'mine now' });
    const { standing } = await prepared(await anArchive([], archived), await engine.place(), files);
    assert.deepEqual(standing, { database: false, files: true });
    const { carryOut } = await prepared(await anArchive(twice, archived), await engine.place(), files);
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contentsOf(files), { 'a.jpg': 'mine now' });
  });

  test('is the site that was to be replaced, with its rows and its files', async () => {
    const before = { 'a.jpg': 'edited since', 'only-here.jpg': 'x' };
    const files = await mediaWith(engine, before);
    const place = await engine.place();
    const store = await engine.store(owners, place);
    await store.write((tx) => tx.insertInto('kinds').values({ text: 'stays' }).execute());
    const { standing, carryOut } = await prepared(await anArchive(twice, archived), place, files);
    assert.deepEqual(standing, { database: true, files: true });
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contentsOf(files), before);
    assert.equal((await store.db.selectFrom('kinds').selectAll().execute()).length, 1);
  });

  test('is an empty place where nothing was, into which the next goes', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const { carryOut } = await prepared(await anArchive(twice, archived), place, files);
    await assert.rejects(carryOut(), { name: 'ArchiveProblem' });
    assert.deepEqual(await contentsOf(files), {});
    const again = await prepared(await anArchive([{ id: 1 }], archived), place, files);
    assert.deepEqual(again.standing, { database: false, files: false });
    await again.carryOut();
    assert.deepEqual(await contentsOf(files), archived);
  });

  test('is a site that came after it was looked whether there is one', async () => {
    const bytes = await anArchive([{ id: 7 }], archived);
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const { carryOut } = await prepared(bytes, place, files);
    const texts = await withRow(place);
    await assert.rejects(carryOut(), { message: /^The database holds a site now, so nothing was changed;/ });
    assert.deepEqual([await texts(), await contentsOf(files), asides(files)], [['stays'], {}, []]);
  });

  test('is a site that came while the files were put aside', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const store = await engine.store(owners, place);
    const texts = Promise.withResolvers<() => Promise<unknown>>();
    const { carryOut } = await prepared(await anArchive([{ id: 7 }], archived), place, files, async () => {
      texts.resolve(await row(store));
      return false;
    });
    await assert.rejects(carryOut(), { message: /^The database holds a site now,/ });
    assert.deepEqual([await (await texts.promise)(), await contentsOf(files)], [['stays'], {}]);
  });

  test('is what another restore put there meanwhile', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const first = await prepared(await anArchive([{ id: 7 }], archived), place, files);
    const second = await prepared(await anArchive(twice, archived), place, files);
    const third = await prepared(await anArchive([{ id: 8 }], { 'a.jpg': 'of the third' }), place, files);
    await first.carryOut();
    for (const { carryOut } of [second, third])
      await assert.rejects(carryOut(), { message: /nothing was changed; add --force/ });
    const { db } = await engine.store(owners, place);
    const rows = await db.selectFrom('kinds').select('id').execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      [7],
    );
    assert.deepEqual([await contentsOf(files), asides(files)], [archived, []]);
  });

  test('is every file that came after it was looked for files', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const { carryOut } = await prepared(await anArchive([{ id: 7 }], archived), place, files);
    await files.put('mine.jpg', Buffer.from('mine'));
    await assert.rejects(carryOut(), { message: /^Files have appeared in the place/ });
    assert.deepEqual(await contentsOf(files), { 'mine.jpg': 'mine' });
    assert.equal((await prepared(await anArchive([], archived), place, files)).standing.database, false);
  });

  test('is a file that came last of all, and it is told which', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const { carryOut } = await prepared(await anArchive([{ id: 7 }], archived), place, files, async () => {
      await files.put('a.jpg', Buffer.from('mine now'));
      return false;
    });
    await assert.rejects(carryOut(), {
      name: 'ArchiveProblem',
      message:
        /other files appeared at the paths .*: a\.jpg\. Run the same restore again with --force\. The missing files are in \/.*\/\.unfinished\/restore-/,
    });
    assert.deepEqual(await contentsOf(files), { ...archived, 'a.jpg': 'mine now' });
    await (await prepared(await anArchive([{ id: 7 }], archived), place, files)).carryOut();
    assert.deepEqual(await contentsOf(files), archived);
  });

  test('is every file, whatever another restore of the same archive left aside', async () => {
    const files = await mediaWith(engine, { 'a.jpg': 'mine now' });
    const bytes = await anArchive(twice, archived);
    const { digest } = (await archives.inspect(bytes)).end;
    await files.aside(`restore-empty-${digest.slice(0, 32)}`).put('x', Buffer.from('x'));
    assert.equal((await prepared(bytes, await engine.place(), files)).standing.files, true);
  });

  test('is a database that another process has open by then, empty or not', async () => {
    const bytes = await anArchive([{ id: 7 }], archived);
    const inUse = { message: /^Another process uses this site;/ };
    const { place, files, texts } = await aSite({ 'a.jpg': 'mine' });
    await assert.rejects((await prepared(bytes, place, files, async () => true)).carryOut(), inUse);
    assert.deepEqual([await texts(), await contentsOf(files), asides(files)], [['stays'], { 'a.jpg': 'mine' }, []]);
    const [empty, none] = [await engine.place(), await mediaWith(engine, {})];
    await assert.rejects((await prepared(bytes, empty, none, async () => true)).carryOut(), inUse);
    assert.deepEqual([await contentsOf(none), asides(none)], [{}, []]);
  });

  const inTheWay: Readonly<Record<string, (root: string) => void>> = {
    'an empty folder': (root) => mkdirSync(join(root, 'a.jpg')),
    'a folder that holds only a link': (root) => {
      mkdirSync(join(root, 'a.jpg'));
      symlinkSync('/nowhere', join(root, 'a.jpg/x'));
    },
    'a link to another folder': (root) => symlinkSync(tmpdir(), join(root, 'b')),
    'a link to nothing': (root) => symlinkSync('/nowhere', join(root, 'b')),
  };
  test('is everything, when something is in the way of a file', () =>
    checkRows(Object.entries(inTheWay), async ([, make]) => {
      const bytes = await anArchive([{ id: 7 }], archived);
      const { place, files, texts } = await aSite({ 'old.jpg': 'old' });
      const nowhere = await mediaWith(engine, {});
      for (const { place } of [files, nowhere]) make(place);
      const blocked = { message: /^Nothing was changed, because (a|b\/c)\.jpg cannot be written to \// };
      await assert.rejects((await prepared(bytes, place, files)).carryOut(), blocked);
      await assert.rejects((await prepared(bytes, await engine.place(), nowhere)).carryOut(), blocked);
      assert.deepEqual([await texts(), await contentsOf(files), asides(files)], [['stays'], { 'old.jpg': 'old' }, []]);
    }));

  test('is no file that was in the way of a folder, and no folder of files that was in the way of a file', async () => {
    const { place, files } = await aSite({ 'a.jpg/x/y': 'old', b: 'old' });
    await (await prepared(await anArchive([{ id: 7 }], archived), place, files)).carryOut();
    assert.deepEqual([await contentsOf(files), asides(files)], [archived, []]);
  });

  test('is what could not be placed in the end, and where it lies is told', async () => {
    const { place, files } = await aSite({ 'old.jpg': 'old' });
    const bytes = await anArchive([{ id: 7 }], archived);
    const late = join(files.place, 'a.jpg');
    const first = await prepared(bytes, place, files, async () => {
      mkdirSync(late);
      return false;
    });
    await assert.rejects(first.carryOut(), {
      message: /some files are not: .* with --force\. The missing files are in \//,
    });
    assert.equal(asides(files).length, 1);
    rmSync(late, { recursive: true });
    await (await prepared(bytes, place, files)).carryOut();
    assert.deepEqual(await contentsOf(files), archived);
  });

  test('is everything, when its files cannot all lie in a folder', async () => {
    const bytes = await anArchive([], { a: 'x', 'a.txt': 'x', 'a/b': 'x' });
    await assert.rejects(prepared(bytes, await engine.place(), await mediaWith(engine, {})), {
      name: 'ArchiveProblem',
      message: /^The archive holds a file a and a folder with the same path,/,
    });
  });

  test('is everything, when no number could be given after its rows', async () => {
    const bytes = await anArchive([{ id: 2 ** 53 - 1 }], {});
    await assert.rejects(prepared(bytes, await engine.place(), await mediaWith(engine, {})), {
      message: /^The archive is damaged: a row of kinds has the largest possible id, so new rows could not get one/,
    });
  });
});

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
