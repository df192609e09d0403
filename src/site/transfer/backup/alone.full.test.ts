import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TableOwner } from '#store/migrate.ts';
import { isInUse } from '#store/restore-lock.ts';
import { readSnapshot } from '#store/snapshot.ts';
import { migrateStore, openStore, pendingOf } from '#store/store.ts';
import { archiveOf, archivesIn } from '#test/archives.ts';
import { asked, eachEngine, keptLog, type Place } from '#test/databases.ts';
import { everyKind } from '#test/every-kind.ts';
import { quickImports } from '#test/gatehouse.ts';
import { contentsOf, mediaWith } from '#test/media.ts';
import type { Files } from '../../files/files.ts';
import { prepareRestore } from './restore.ts';

const owners: readonly TableOwner[] = [everyKind];
const RESTORER = fileURLToPath(new URL('../../../../test/support/restorer.ts', import.meta.url));

const beingRestored = { name: 'StoreProblem', message: /^A restore of the site in .* is running; try again when / };
const halfThere = {
  name: 'StoreProblem',
  message: /^A restore into .* stopped before all files were restored; run the same restore again with --force\.$/,
};
const another = {
  name: 'ArchiveProblem',
  message: /^Another restore of this site is running, so nothing was changed;/,
};

eachEngine('While a restore is at work', (engine) => {
  const archives = archivesIn(engine);
  const optionsOf = (place: Place) => ({ ...place, tables: owners, log: keptLog() });

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(path, { recursive: true }));
    return path;
  }

  /** A site with one row and some files, which nobody has open. */
  async function aSite(text: string, content: Readonly<Record<string, string>>) {
    const [place, files] = [await engine.place(), await mediaWith(engine, content)];
    const store = await openStore(optionsOf(place));
    await store.write((tx) => tx.insertInto('kinds').values({ text }).execute());
    await store.close();
    return { place, files };
  }

  async function anArchive(text: string, content: Readonly<Record<string, string>>): Promise<Buffer> {
    const { place, files } = await aSite(text, content);
    return (await archiveOf(place, owners, files)).bytes;
  }

  const prepared = async (bytes: Buffer, place: Place, files: Files, isUsed = () => isInUse(optionsOf(place))) =>
    prepareRestore({
      archive: await archives.open(bytes),
      store: optionsOf(place),
      files: async () => files,
      secretRemedy: '',
      isInUse: isUsed,
    });

  /** What is in the site, once it opens. */
  async function siteAt(place: Place, files: Files): Promise<unknown> {
    const store = await openStore(optionsOf(place));
    const rows = await store.db.selectFrom('kinds').select('text').execute();
    await store.close();
    return { rows: rows.map(({ text }) => text), files: await contentsOf(files) };
  }

  const placing = (files: Files, meanwhile: () => Promise<void>): Files => ({
    ...files,
    aside: (name) => {
      const aside = files.aside(name);
      const place: typeof aside.place = async (kept) => {
        await meanwhile();
        return aside.place(kept);
      };
      return { ...aside, place };
    },
  });

  const one = { 'x.jpg': 'of one', 'only-one.jpg': '1' };
  const two = { 'x.jpg': 'of two', 'only-two.jpg': '2' };

  test('no other begins there, and what is there in the end is wholly of the first', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const second = await prepared(await anArchive('two', two), place, files);
    const refusals: Promise<void>[] = [];
    const tried = () => {
      const trying = assert.rejects(second.carryOut(), another);
      refusals.push(trying);
      return trying;
    };
    const first = await prepared(await anArchive('one', one), place, placing(files, tried), async () => {
      await tried();
      return false;
    });
    await first.carryOut();
    assert.equal((await Promise.all(refusals)).length, 2);
    assert.deepEqual(await siteAt(place, files), { rows: ['one'], files: one });
    await second.carryOut();
    assert.deepEqual(await siteAt(place, files), { rows: ['two'], files: two });
  });

  test('a site does not open, neither before its database has changed nor while its files are placed', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    let times = 0;
    const refused = async () => {
      times += 1;
      await assert.rejects(openStore(optionsOf(place)), beingRestored);
      await assert.rejects(migrateStore(optionsOf(place)), beingRestored);
      await assert.rejects(pendingOf(optionsOf(place)), beingRestored);
      await assert.rejects(
        readSnapshot(optionsOf(place), async () => {}),
        beingRestored,
      );
    };
    const restore = await prepared(await anArchive('one', one), place, placing(files, refused), async () => {
      await refused();
      return isInUse(optionsOf(place));
    });
    await restore.carryOut();
    assert.equal(times, 2);
    assert.deepEqual(await siteAt(place, files), { rows: ['one'], files: one });
  });

  test('a site that was opened before keeps it from changing anything', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const restore = await prepared(await anArchive('one', one), place, files);
    const store = await openStore(optionsOf(place));
    await assert.rejects(restore.carryOut(), { message: /^Another process uses this site;/ });
    await store.close();
    assert.deepEqual(await siteAt(place, files), { rows: ['old'], files: { 'old.jpg': 'old' } });
  });

  test('no other process begins there or opens the site; once it is killed, only a restore does', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const [bytes, kept] = [await anArchive('one', one), join(folder(), 'one.ghb')];
    writeFileSync(kept, bytes);
    const child = spawn(process.execPath, [...quickImports, RESTORER, kept, JSON.stringify(place), files.place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    engine.atEnd(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    await Promise.race([once(child.stdout, 'data'), ended.then(() => assert.fail('It ended.'))]);
    await assert.rejects(openStore(optionsOf(place)), beingRestored);
    await assert.rejects(prepared(bytes, place, files), another);
    child.kill('SIGKILL');
    await ended;

    await gone(() => assert.rejects(openStore(optionsOf(place)), halfThere));
    await assert.rejects(pendingOf(optionsOf(place)), halfThere);
    const again = await prepared(bytes, place, files);
    assert.deepEqual(again.standing.database, true);
    await again.carryOut();
    assert.deepEqual(await siteAt(place, files), { rows: ['one'], files: one });
    assert.equal(existsSync(join(place.data, 'gatehouse.db-restoring')), false);
  });

  test('what is left half done opens for nobody, not even without a row, until a restore has gone well', async () => {
    const [place, files] = [await engine.place(), await mediaWith(engine, {})];
    const from = await engine.place();
    await (await openStore(optionsOf(from))).close();
    const { bytes } = await archiveOf(from, owners, await mediaWith(engine, one));
    const breaks = placing(files, () => Promise.reject(new Error('The disk broke.')));
    const { carryOut, standing } = await prepared(bytes, place, breaks);
    assert.deepEqual(standing, { database: false, files: false });
    await assert.rejects(carryOut(), { message: /some files are not: The disk broke\. Run the same / });
    await assert.rejects(openStore(optionsOf(place)), halfThere);
    const again = await prepared(bytes, place, files);
    assert.deepEqual(again.standing, { database: true, files: false });
    await again.carryOut();
    assert.deepEqual(await siteAt(place, files), { rows: [], files: one });
  });

  test('a connection to the server that is lost ends it, with nothing changed or half done', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const { database } = place;
    if (database === undefined) return; // a file is not lost
    const bytes = await anArchive('one', one);
    const cut = async () =>
      void (await asked(
        database,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where datname = current_database() and application_name = 'gatehouse-restore'`,
      ));
    const early = await prepared(bytes, place, files, async () => {
      await cut();
      return false;
    });
    await assert.rejects(early.carryOut(), {
      message: /^The connection .* was lost.*, so nothing was changed;/,
    });
    assert.deepEqual(await siteAt(place, files), { rows: ['old'], files: { 'old.jpg': 'old' } });
    const late = await prepared(bytes, place, placing(files, cut));
    await assert.rejects(late.carryOut(), { message: /some files are not: The connection .* was lost/ });
    await assert.rejects(openStore(optionsOf(place)), halfThere);
  });

  test('an archive without files leaves no half, whatever was left before', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const breaks = placing(files, () => Promise.reject(new Error('The disk broke.')));
    await assert.rejects((await prepared(await anArchive('one', one), place, breaks)).carryOut());
    const from = await aSite('two', {});
    await (await prepared((await archiveOf(from.place, owners)).bytes, place, files)).carryOut();
    assert.deepEqual(await siteAt(place, files), { rows: ['two'], files: {} });
  });

  test('files that vanish before they are placed leave it half done', async () => {
    const { place, files } = await aSite('old', { 'old.jpg': 'old' });
    const bytes = await anArchive('one', one);
    const waiting = join(files.place, '.unfinished');
    const vanish = async () => {
      for (const name of readdirSync(waiting)) rmSync(join(waiting, name, 'x.jpg'));
    };
    const { carryOut } = await prepared(bytes, place, placing(files, vanish));
    await assert.rejects(carryOut(), {
      message: /1 files were restored, but the archive has 2\. Run the same restore /,
    });
    await assert.rejects(openStore(optionsOf(place)), halfThere);
    await (await prepared(bytes, place, files)).carryOut();
    assert.deepEqual(await siteAt(place, files), { rows: ['one'], files: one });
  });
});

/** A server takes a moment to notice that a process was killed. */
async function gone(check: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries === 100) throw error;
    }
  }
}
