import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSnapshot } from '#store/snapshot.ts';
import { archiveOf, archivesIn, written } from '#test/archives.ts';
import { aWorkshop, type Belfry, bells, hang, install, programs } from '#test/bells.ts';
import { keptLog, onBothStores, type Place, type TestEngine, testEngine } from '#test/databases.ts';
import { mediaWith } from '#test/media.ts';
import { anObjectStore } from '#test/s3.ts';
import type { Files } from '../../files/files.ts';
import { openFiles } from '../../files/open.ts';
import { packagePath } from '../../packages/keeping.ts';
import { loadPackages, packagesIn } from './packages.ts';
import { prepareRestore } from './restore.ts';

async function aBelfry(engine: TestEngine): Promise<Belfry & { readonly place: Place }> {
  const place = await engine.place();
  return { place, store: await engine.store(programs, place), files: await mediaWith(engine) };
}

/** Towers that point at later ones, and a loud bell. */
async function filled(engine: TestEngine) {
  const belfry = await aBelfry(engine);
  const loaded = await hang(engine, belfry, bells.first);
  await belfry.store.write(async (tx) => {
    await tx
      .insertInto('bell_towers')
      .values([{ name: 'east' }, { name: 'gone' }])
      .execute();
    await tx.deleteFrom('bell_towers').where('name', '=', 'gone').execute();
    await tx.insertInto('bell_towers').values({ id: 9, name: 'west' }).execute();
    await tx.updateTable('bell_towers').set({ under: 9 }).where('name', '=', 'east').execute();
    await tx
      .insertInto('bell_rings')
      .values({ tower: 1, loud: 1, weight: 0.5, sound: Buffer.from([0, 255]) })
      .execute();
  });
  return { ...belfry, loaded, bytes: (await archiveOf(belfry.place, programs, belfry.files, loaded)).bytes };
}

async function rowsOf({ store: { db } }: Belfry) {
  const towers = await db.selectFrom('bell_towers').select(['id', 'name', 'under']).orderBy('id').execute();
  const rings = await db.selectFrom('bell_rings').selectAll().execute();
  const counts = await db.selectFrom('bell_counts').selectAll().execute();
  return {
    towers: towers.map((row) => ({ ...row })),
    rings: rings.map((row) => ({ ...row, sound: Buffer.from(row.sound).toString('hex') })),
    counts: counts.map(({ rings }) => rings),
  };
}

const putBack = {
  towers: [
    { id: 1, name: 'east', under: 9 },
    { id: 9, name: 'west', under: null },
  ],
  rings: [{ tower: 1, loud: 0, weight: 0.5, sound: '00ff' }],
  counts: [1],
};

onBothStores('Tables of a package', (engine) => {
  const other = testEngine(engine.name === 'sqlite' ? 'postgres' : 'sqlite');
  const archives = archivesIn(engine);

  const prepared = async (bytes: Buffer, { place, files }: { place: Place; files: Files }, leaveOut: string[] = []) =>
    prepareRestore({
      archive: await archives.open(bytes),
      store: { ...place, tables: programs, log: keptLog() },
      files: async () => files,
      workshop: aWorkshop(engine),
      leaveOut,
      secretRemedy: 'correct the password',
      isInUse: async () => false,
    });

  test('come back with all that their migrations say, and with what their owner does then', async () => {
    const { bytes } = await filled(other);
    const there = await aBelfry(engine);
    await (await prepared(bytes, there)).carryOut();
    assert.deepEqual(await rowsOf(there), putBack);
    await hang(engine, there, bells.second);
    await there.store.write((tx) => tx.insertInto('bell_towers').values({ name: 'north', height: 3.5 }).execute());
    const { id } = await there.store.db
      .selectFrom('bell_towers')
      .select('id')
      .where('height', '>', 3)
      .executeTakeFirstOrThrow();
    assert.ok(id > 9);
    const loud = { tower: 1, loud: 1 };
    await there.store.write((tx) => tx.insertInto('bell_rings').values(loud).execute());
    await assert.rejects(there.store.write((tx) => tx.insertInto('bell_rings').values(loud).execute()));
  });

  test('come back where the files are in a bucket, whether these are in the archive or not', async () => {
    const shop = await anObjectStore();
    engine.atEnd(() => shop.close());
    const files = await openFiles(shop.media, shop.keys, () => new Date());
    const { place, store, ...source } = await filled(engine);
    const one = await install({ store, files }, bells.first);
    for (const carried of [files, undefined]) {
      const { bytes } = await archiveOf(place, programs, carried, source.loaded);
      const there = { ...(await aBelfry(engine)), files };
      if (carried) await files.erase(packagePath(one));
      await (await prepared(bytes, there)).carryOut();
      assert.deepEqual(await rowsOf(there), putBack);
    }
  });

  test('replace those of a later version of it', async () => {
    const { bytes } = await filled(other);
    const there = await aBelfry(engine);
    await hang(engine, there, bells.second);
    await there.store.write(async (tx) => {
      await tx.insertInto('bell_ropes').values({ id: 7, length: 12.5 }).execute();
      await tx.insertInto('bell_towers').values({ id: 5, name: 'old', rope: 7 }).execute();
      await tx.insertInto('bell_rings').values({ tower: 5 }).execute();
    });
    await (await prepared(bytes, there)).carryOut();
    assert.deepEqual(await rowsOf(there), putBack);
  });

  test('that are left out stay as they are, and everything else is put back', async () => {
    const { bytes } = await filled(other);
    const there = await aBelfry(engine);
    await hang(engine, there, bells.second);
    await there.store.write((tx) => tx.insertInto('bell_towers').values({ id: 5, name: 'mine' }).execute());
    await (await prepared(bytes, there, ['bell'])).carryOut();
    assert.deepEqual((await rowsOf(there)).towers, [{ id: 5, name: 'mine', under: null }]);
    await assert.rejects(prepared(bytes, there, ['flute']), {
      message: 'The archive holds no tables of an extension flute.',
    });
  });

  test('whose package is not what it was are not put back, and nothing is changed', async () => {
    const { place, files, store, loaded } = await filled(other);
    const refused = async (why: string): Promise<void> => {
      const { bytes } = await archiveOf(place, programs, files, loaded);
      const there = await aBelfry(engine);
      await assert.rejects(prepared(bytes, there), {
        message: `The archive holds tables of the extension bell, which cannot be created here: ${why}. Add --leave-out bell to restore everything else.`,
      });
      assert.deepEqual(await there.store.db.selectFrom('extensions').selectAll().execute(), []);
    };
    const broken = await install({ store, files }, bells.broken);
    await refused('The rope is torn');
    await files.put(packagePath(broken), Buffer.from('other'));
    await refused('its package differs from the installed package');
    await files.erase(packagePath(broken));
    await refused('its package is not in the archive');
    await store.write((tx) => tx.deleteFrom('extensions').execute());
    await refused('it was not installed on that site');
  });

  test('are named by a backup that cannot know them, and say why', async () => {
    const belfry = await filled(engine);
    const told = async (files?: Files): Promise<string[]> => {
      const options = { ...belfry.place, tables: programs, log: keptLog() };
      const found = await readSnapshot(options, packagesIn);
      const loaded = await loadPackages(found, async () => files, aWorkshop(engine));
      const { notes, bytes } = await archiveOf(belfry.place, programs, belfry.files, loaded);
      const { manifest } = await archives.inspect(bytes);
      assert.equal(manifest.tables.length, notes.length === 0 ? 4 : 2);
      return notes;
    };
    const absent = (why: string) => [`The tables of the extension bell are not in the archive: ${why}.`];
    assert.deepEqual(await told(belfry.files), []);
    assert.deepEqual(await told(), absent('its package is not among the files of the site'));
    const broken = await install(belfry, bells.broken);
    assert.deepEqual(await told(belfry.files), absent('The rope is torn'));
    await belfry.files.erase(packagePath(broken));
    assert.deepEqual(await told(belfry.files), absent('its package is not among the files of the site'));
    await hang(engine, belfry, bells.second);
    await install(belfry, bells.first);
    assert.deepEqual(
      await told(belfry.files),
      absent('they are from a newer version than the installed one, or were created during the backup'),
    );
  });

  test('that nothing in the archive makes are refused', async () => {
    const { bytes } = await filled(engine);
    const { manifest } = await archives.inspect(bytes);
    const tables = manifest.tables.map((table) =>
      table.name === 'extension_catalogues' ? { ...table, owner: 'package:flute' } : table,
    );
    const none = async function* () {};
    const odd = await written(async (writer) => {
      const migrations = manifest.migrations.filter((name) => !name.startsWith('package:'));
      const own = tables.filter(({ owner }) => owner !== 'package:bell');
      await writer.begin({ ...manifest, migrations, tables: own, media: false });
      for (const table of own) await writer.table(table, none());
    });
    await assert.rejects(prepared(odd, await aBelfry(engine)), {
      message: /^The archive is damaged: its tables differ from the tables of its version \(extension_catalogues\)/,
    });
  });
});
