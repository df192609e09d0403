import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markHalf } from '#store/restored.ts';
import { openStore } from '#store/store.ts';
import { eachEngine, keptLog, type Place } from '#test/databases.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { aSitePlace, type SitePlace, stopped } from '#test/serving.ts';
import { tableOwners } from '../tables.ts';

const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
const at = ({ data, database }: Place): string[] => ['--data', data, ...(database ? ['--database', database] : [])];

/** How far it is, which is told of what takes more than a second. */
const withoutProgress = (err: string): string => err.replace(/^.* … \d+ s\n/gm, '');

eachEngine('The commands backup, verify and restore', (engine) => {
  const restore = (archive: string, place: Place, ...more: string[]): Promise<Ended> =>
    gatehouse(['restore', archive, ...at(place), ...more], env);

  /** A site with somebody in it, and a file. */
  async function aSite(): Promise<SitePlace & { readonly archive: string }> {
    const place = await aSitePlace(engine);
    await place.run('migrate');
    const made = await place.run(
      'user',
      'create',
      'ada',
      '--email',
      'ada@example.org',
      '--role',
      'author',
      '--generate',
    );
    assert.equal(made.code, 0, made.err);
    writeFileSync(join(place.data, 'media/photo.jpg'), 'photo');
    return { ...place, archive: join(place.data, 'site.ghb') };
  }
  const people = async (place: Place): Promise<string> => (await gatehouse(['user', 'list', ...at(place)], env)).out;

  test('carry a site to another place while it serves', async () => {
    const { serve, run, archive } = await aSite();
    await serve();
    const { code, out, err } = await run('backup', archive);
    assert.deepEqual([code, withoutProgress(err)], [0, '']);
    assert.match(out, /site\.ghb holds \d+ rows and 1 file \(5 bytes\) from \/.*\/media\.\n$/);
    assert.equal(statSync(archive).mode & 0o777, 0o600);

    const told = await gatehouse(['verify', archive]);
    assert.equal(told.code, 0);
    assert.match(told.out, /^.*site\.ghb is whole: a backup of \d{4}-.* UTC, written by Gatehouse /);
    const { tables, files, bytes } = JSON.parse((await gatehouse(['verify', archive, '--json'])).out);
    assert.deepEqual([tables.users, tables.keys, files, bytes], [1, 3, 1, 5]);

    const place = await engine.place();
    const restored = await restore(archive, place);
    assert.deepEqual([restored.code, withoutProgress(restored.err)], [0, '']);
    assert.match(restored.out, /^Restored \d+ rows and 1 file \(5 bytes\) from the backup of /);
    assert.match(await people(place), /^ada /m);
    assert.equal(readFileSync(join(place.data, 'media/photo.jpg'), 'utf8'), 'photo');
  });

  test('say how many messages the restored site will send', async () => {
    const { run, archive } = await aSite();
    assert.equal((await run('user', 'set-email', 'ada', 'bell@example.org')).code, 0);
    await run('backup', archive);
    const { out } = await restore(archive, await engine.place());
    assert.match(
      out,
      /\n2 messages that waited when the backup was made are sent once the site serves\. `gatehouse jobs list /,
    );
    assert.doesNotMatch(out, /digest/);
  });

  test('say that the secret has to be given to the restored site as well, unless it lies there', async () => {
    const { run, archive } = await aSite();
    await run('backup', archive);
    const place = await engine.place();
    const { out } = await restore(archive, place);
    assert.match(out, /\nGATEHOUSE_SECRET must be given to every start and command of this site, as it was given here/);
    assert.equal(
      out.includes(`, or be written into ${join(place.data, 'secret')} (chmod 600).\n`),
      engine.name === 'sqlite',
    );
  });

  test('replace nothing that nobody said to replace', async () => {
    const { run, archive, ...site } = await aSite();
    await run('backup', archive);
    const again = await run('backup', archive);
    assert.equal(again.code, 1);
    assert.match(again.err, /^.*site\.ghb is there already; add --force to replace it, or name another file\.\n$/);
    assert.equal((await run('backup', archive, '--force')).code, 0);

    await run('user', 'create', 'late', '--email', 'late@example.org', '--role', 'author', '--generate');
    const refused = await run('restore', archive);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^There is a site in .* already; add --force to replace what is there\.\n$/);
    const unasked = await run('restore', archive, '--force');
    assert.deepEqual(
      [unasked.code, unasked.err],
      [2, 'This cannot be undone, and nobody can be asked here; add --yes.\n'],
    );
    assert.match((await run('user', 'list')).out, /^late /m);
    assert.equal((await run('restore', archive, '--force', '--yes')).code, 0);
    assert.doesNotMatch((await run('user', 'list')).out, /^late /m);
    assert.ok(existsSync(join(site.data, 'media/photo.jpg')));
  });

  test('do not replace a site while it serves', async () => {
    const { run, serve, archive } = await aSite();
    const site = await serve();
    await run('backup', archive);
    const refused = await run('restore', archive, '--force', '--yes');
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /^Another process works with that site now; stop the site, every process of it, first\.\n$/,
    );
    await stopped(site);
    assert.equal((await run('restore', archive, '--force', '--yes')).code, 0);
  });

  test('leave a site that was restored by half to a restore alone, and it serves once that has gone well', async () => {
    const { run, serve, archive } = await aSite();
    await run('backup', archive);
    const place = await engine.place();
    assert.equal((await restore(archive, place)).code, 0);
    const store = await openStore({ ...place, tables: tableOwners(), log: keptLog() });
    await store.write(markHalf);
    await store.close();
    const told = /^A restore into .* ended before every file [^\n]*; run the same restore again with --force\.\n$/;
    const commands = [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['migrate'],
      ['backup', join(place.data, 'half.ghb')],
    ];
    for (const [name = '', ...words] of commands) {
      const { code, err } = await gatehouse([name, ...words, ...at(place)], env);
      assert.equal(code, 1);
      assert.match(err, told, name);
    }
    const doctor = await gatehouse(['doctor', '--port', '0', ...at(place)], env);
    assert.match(doctor.out, /^WRONG\s+Database\s+A restore into .*\n\s+→ Run the same restore again with --force\.$/m);
    assert.match((await restore(archive, place)).err, /^There is a site in .* already; add --force to replace /);
    assert.equal((await restore(archive, place, '--force', '--yes')).code, 0);
    assert.match(await people(place), /^ada /m);
    assert.equal(readFileSync(join(place.data, 'media/photo.jpg'), 'utf8'), 'photo');
    await serve();
  });

  test('say when files are elsewhere than they look, and count none then', async () => {
    const { run, data, archive } = await aSite();
    const { code, out, err } = await run('backup', archive, '--media', join(data, 'nowhere'));
    assert.equal(code, 0);
    assert.match(
      err,
      /^There is no folder .*\/nowhere, so the archive holds no files; [^\n]*--media or GATEHOUSE_MEDIA\.\n$/,
    );
    assert.match(out, /rows and no files\.\n$/);
    assert.equal(existsSync(join(data, 'nowhere')), false);
  });

  test('leave files alone when the archive has none', async () => {
    const { run, archive } = await aSite();
    assert.match((await run('backup', archive, '--no-media')).out, /rows and no files\.\n$/);
    const place = await engine.place();
    mkdirSync(join(place.data, 'media'));
    writeFileSync(join(place.data, 'media/mine.jpg'), 'mine');
    const { code, out } = await restore(archive, place);
    assert.equal(code, 0);
    assert.match(out, /The archive holds no files; those of the site were left alone\.\n/);
    assert.deepEqual(readdirSync(join(place.data, 'media')), ['mine.jpg']);
  });

  test('say in one sentence what is wrong, and leave nothing behind', async () => {
    const { run, data, archive } = await aSite();
    const empty = await engine.place();
    const nothing = await gatehouse(['backup', archive, ...at(empty)], env);
    assert.equal(nothing.code, 1);
    assert.match(nothing.err, /^There is no site in .* yet; [^\n]*\n$/);
    assert.match(
      (await run('backup', join(data, 'media/site.ghb'))).err,
      /^The archive cannot lie among the files it holds;/,
    );
    symlinkSync(join(data, 'media'), join(data, 'way'));
    assert.match(
      (await run('backup', join(data, 'way/site.ghb'))).err,
      /^The archive cannot lie among the files it holds;/,
    );
    assert.match(
      (await run('backup', join(data, 'nowhere/site.ghb'))).err,
      /^The archive .* cannot be used: there is no such file or folder\.\n$/,
    );
    assert.deepEqual(
      readdirSync(data).filter((name) => name.includes('.ghb')),
      [],
    );

    await run('backup', archive);
    const cut = join(data, 'cut.ghb');
    writeFileSync(cut, readFileSync(archive).subarray(0, -1));
    for (const { code, err } of [await gatehouse(['verify', cut]), await restore(cut, empty)]) {
      assert.equal(code, 1);
      assert.match(err, /^The archive is damaged: it is cut off\. [^\n]*\n$/);
    }
    const other = await gatehouse(['restore', archive, ...at(empty)], {
      GATEHOUSE_SECRET: 'another secret of the same length!',
    });
    assert.equal(other.code, 1);
    assert.match(other.err, /^The secret does not open the keys in the archive; give the secret of the site [^\n]*\n$/);
    assert.equal(await people(empty), '');
  });
});
