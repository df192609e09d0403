import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMigrations, type TableOwner } from '#store/migrate.ts';
import type { AnyStore } from '#store/store.ts';
import { archiveOf, archivesIn, written } from '#test/archives.ts';
import { keptLog, onBothStores, type Place, type TestEngine, testEngine } from '#test/databases.ts';
import { everyKind, hardRows } from '#test/every-kind.ts';
import { contentsOf, mediaWith } from '#test/media.ts';
import { checkRows } from '#test/rows.ts';
import type { Files } from '../../files/files.ts';
import { keyTables, openKeys } from '../../platform/keys.ts';
import type { Manifest } from './format.ts';
import { type Prepared, prepareRestore } from './restore.ts';
import type { Row } from './rows.ts';

const now = new Date('2026-11-20T12:00:00Z');
const secret = 'a secret that only this test knows of';
const owners: readonly TableOwner[] = [keyTables, everyKind];

/** Alike for both engines: each makes bytes of its own sort. */
async function rowsOf({ db }: AnyStore): Promise<Row[]> {
  const rows = await db.selectFrom('kinds').selectAll().orderBy('id').execute();
  return rows.map((row) => ({ ...row, bytes: row.bytes && Buffer.from(row.bytes) }));
}

async function keysOf({ db }: AnyStore): Promise<Row[]> {
  return (await db.selectFrom('keys').selectAll().orderBy('name').execute()).map((row) => ({ ...row }));
}

const photos = { 'a.txt': 'first', 'a/b.txt': 'second', 'é/\u{1F600}.jpg': '\x00\xFF', zero: '' };

/** A site with a row of every kind and some files, and its archive. */
async function aSource(engine: TestEngine) {
  const place = await engine.place();
  const store = await engine.store(owners, place);
  await openKeys(store, secret, () => now);
  await store.write((tx) => tx.insertInto('kinds').values(hardRows.toReversed()).execute());
  const files = await mediaWith(engine, photos);
  const { bytes } = await archiveOf(place, owners, files);
  return { store, files, bytes };
}

for (const from of ['sqlite', 'postgres'] as const) {
  onBothStores(`A backup of ${from} put back`, (engine) => {
    const archives = archivesIn(engine);
    const other = testEngine(from);

    const prepared = async (
      bytes: Buffer,
      place: Place,
      files: Files,
      more: { tables?: readonly TableOwner[]; secret?: string } = {},
    ): Promise<Prepared> =>
      prepareRestore({
        archive: await archives.open(bytes),
        store: { ...place, tables: more.tables ?? owners, log: keptLog() },
        files: async () => files,
        secret: more.secret ?? secret,
        secretRemedy: 'correct the password',
        isInUse: async () => false,
      });

    test('is the same, to the last row and file, and opens with the same secret', async () => {
      const source = await aSource(other);
      const [place, files] = [await engine.place(), await mediaWith(engine)];
      const { standing, carryOut } = await prepared(source.bytes, place, files);
      assert.deepEqual(standing, { database: false, files: false });
      await carryOut();
      const store = await engine.store(owners, place);
      assert.deepEqual(await rowsOf(store), await rowsOf(source.store));
      assert.deepEqual(await keysOf(store), await keysOf(source.store));
      assert.deepEqual(await contentsOf(files), photos);
      assert.deepEqual(await openKeys(store, secret, () => now), await openKeys(source.store, secret, () => now));
    });

    test('gives no number a second time', async () => {
      const place = await other.place();
      const store = await other.store(owners, place);
      await store.write(async (tx) => {
        await tx
          .insertInto('kinds')
          .values([{ text: 'kept' }, { text: 'gone' }, { text: 'gone' }])
          .execute();
        await tx.deleteFrom('kinds').where('text', '=', 'gone').execute();
      });
      const there = await engine.place();
      const { carryOut } = await prepared((await archiveOf(place, owners)).bytes, there, await mediaWith(engine));
      await carryOut();
      const back = await engine.store(owners, there);
      const { id } = await back.write((tx) =>
        tx.insertInto('kinds').values({ text: 'new' }).returning('id').executeTakeFirstOrThrow(),
      );
      assert.equal(id, 4);
    });

    test('replaces what is there, and whoever has the database open hears of it', async () => {
      const source = await aSource(other);
      const [place, files] = [await engine.place(), await mediaWith(engine)];
      const store = await engine.store(owners, place);
      await store.write((tx) => tx.insertInto('kinds').values({ text: 'old' }).execute());
      await files.put('a.txt', Buffer.from('other'));
      await files.put('old/b.txt', Buffer.from('old'));
      const before = store.changes.at('kinds');
      const heard = Promise.withResolvers<void>();
      store.changes.watch((topics) => topics.has('kinds') && topics.has('keys') && heard.resolve());
      const { standing, carryOut } = await prepared(source.bytes, place, files);
      assert.deepEqual(standing, { database: true, files: true });
      await carryOut();
      await heard.promise;
      assert.ok(store.changes.at('kinds') > before);
      assert.deepEqual(await rowsOf(store), await rowsOf(source.store));
      assert.deepEqual(await contentsOf(files), photos);
    });

    test('is brought up to date when it is older, and refused when it is newer', async () => {
      const source = await aSource(other);
      const later: TableOwner = {
        ...everyKind,
        migrations: [
          ...everyKind.migrations,
          {
            name: '0002-later',
            up: async ({ db }) =>
              void (await db.updateTable('kinds').set({ text: 'later' }).where('text', '=', '').execute()),
          },
        ],
        restored: async (tx) => void (await tx.updateTable('kinds').set({ flag: 1 }).where('flag', '=', 0).execute()),
      };
      const tables = [keyTables, later];
      const place = await engine.place();
      const { carryOut } = await prepared(source.bytes, place, await mediaWith(engine), { tables });
      await carryOut();
      const store = await engine.store(tables, place);
      assert.deepEqual(
        (await rowsOf(store)).map(({ text, flag }) => [text === 'later', flag]),
        [
          [false, null],
          [true, null],
          [false, null],
          [false, 1],
          [false, 1],
        ],
      );

      const { bytes } = await archiveOf(place, tables);
      await assert.rejects(prepared(bytes, await engine.place(), await mediaWith(engine)), {
        message:
          'The archive was written by a newer version (it has kinds/0002-later); use that version or a later one.',
      });
    });

    test('with another secret is refused before anything is touched', async () => {
      const source = await aSource(other);
      const [place, files] = [await engine.place(), await mediaWith(engine)];
      await assert.rejects(prepared(source.bytes, place, files, { secret: 'not that secret at all' }), {
        message: 'The secret does not decrypt the keys in the archive; correct the password.',
      });
      assert.deepEqual(await contentsOf(files), {});
      assert.deepEqual(await keysOf(await engine.store(owners, place)), []);
    });

    test('with tables that this program does not have is refused by the name of their owner', async () => {
      const source = await aSource(other);
      await assert.rejects(
        prepared(source.bytes, await engine.place(), await mediaWith(engine), { tables: [keyTables] }),
        {
          message: 'The archive holds tables of kinds, which this version of Gatehouse does not have; add kinds first.',
        },
      );
    });

    const manifest: Manifest = {
      version: '1',
      created_at: now.toISOString(),
      engine: 'sqlite',
      migrations: allMigrations(owners).map(({ owner, name }) => `${owner}/${name}`),
      tables: [
        { name: 'keys', columns: ['name', 'wrapped', 'created_at'].map((name) => ({ name, kind: 'text' })) },
        {
          name: 'kinds',
          columns: [
            ...['id', 'parent', 'flag'].map((name) => ({ name, kind: 'integer' as const })),
            { name: 'real', kind: 'real' },
            ...['text', 'document', 'at'].map((name) => ({ name, kind: 'text' as const })),
            { name: 'bytes', kind: 'bytes' },
          ],
          numbered: 'id',
          highest: 3,
        },
      ],
      media: true,
    };
    const byHand = (rows: readonly Row[], more: Partial<Manifest> = {}): Promise<Buffer> =>
      written(async (writer) => {
        const all = { ...manifest, ...more };
        await writer.begin(all);
        for (const table of all.tables) await writer.table(table, each(table.name === 'kinds' ? rows : []));
        const file = { path: 'new.txt', size: 3, modified: now.toISOString() };
        await writer.file(file);
        await writer.content(Buffer.from('new'));
        await writer.whole(file);
      });

    const refused: Record<string, { rows: Row[]; says: RegExp }> = {
      'a row that points at nothing': {
        rows: [{ id: 1, parent: 9 }],
        says: /^A row of kinds refers to a row that does not exist/,
      },
      'two rows of one number': { rows: [{ id: 1 }, { id: 1 }], says: /^The database refused the rows of kinds/ },
    };
    test('with rows that do not fit leaves everything as it was', () =>
      checkRows(Object.entries(refused), async ([, { rows, says }]) => {
        const bytes = await byHand(rows);
        const [empty, nothing] = [await engine.place(), await mediaWith(engine)];
        await assert.rejects((await prepared(bytes, empty, nothing)).carryOut(), { message: says });
        assert.deepEqual(await contentsOf(nothing), {});
        assert.deepEqual(await rowsOf(await engine.store(owners, empty)), []);

        const full = await engine.place();
        const store = await engine.store(owners, full);
        await store.write((tx) => tx.insertInto('kinds').values({ text: 'stays' }).execute());
        const before = await rowsOf(store);
        await assert.rejects((await prepared(bytes, full, await mediaWith(engine))).carryOut(), { message: says });
        assert.deepEqual(await rowsOf(store), before);
        await (await prepared(await byHand([{ id: 1 }]), full, await mediaWith(engine))).carryOut();
        assert.equal((await rowsOf(store)).length, 1);
      }));

    test('of tables other than its version has is refused', async () => {
      const [keys, kinds] = manifest.tables;
      const odd = [
        [keys!],
        [keys!, { ...kinds!, columns: kinds!.columns.slice(1) }],
        [keys!, kinds!, { ...keys!, name: 'more' }],
      ];
      for (const tables of odd)
        await assert.rejects(prepared(await byHand([], { tables }), await engine.place(), await mediaWith(engine)), {
          message: /^The archive is damaged: its tables differ from the tables of its version/,
        });
    });
  });
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
