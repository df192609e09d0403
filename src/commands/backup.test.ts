import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aSiteToKeep, people, restore } from '#test/archived.ts';
import { eachEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';

eachEngine('The commands backup, verify and restore', (engine) => {
  test('carry a site to another place while it serves', async () => {
    const { serveHere, run, archive } = await aSiteToKeep(engine);
    await serveHere();
    const { code, out, err } = await run('backup', archive);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /site\.ghb holds \d+ rows and 1 file \(5 bytes\) from \/.*\/media\.\n$/);
    assert.equal(statSync(archive).mode & 0o777, 0o600);

    const told = await gatehouse(['verify', archive]);
    assert.equal(told.code, 0);
    assert.match(told.out, /^.*site\.ghb is complete: a backup of \d{4}-.* UTC, written by Gatehouse /);
    const { tables, files, bytes } = JSON.parse((await gatehouse(['verify', archive, '--json'])).out);
    assert.deepEqual([tables.users, tables.keys, files, bytes], [1, 3, 1, 5]);

    const place = await engine.place();
    const restored = await restore(archive, place);
    assert.deepEqual([restored.code, restored.err], [0, '']);
    assert.match(restored.out, /^Restored \d+ rows and 1 file \(5 bytes\) from the backup of /);
    assert.match(await people(place), /^ada /m);
    assert.equal(readFileSync(join(place.data, 'media/photo.jpg'), 'utf8'), 'photo');
  });

  test('say how many messages the restored site will send', async () => {
    const { run, archive } = await aSiteToKeep(engine);
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
    const { run, archive } = await aSiteToKeep(engine);
    await run('backup', archive);
    const place = await engine.place();
    const { out } = await restore(archive, place);
    assert.match(out, /\nGive GATEHOUSE_SECRET to every start and command of this site, as you did here/);
    assert.equal(
      out.includes(`, or write it into ${join(place.data, 'secret')} (chmod 600).\n`),
      engine.name === 'sqlite',
    );
  });

  test('say when files are elsewhere than they look, and count none then', async () => {
    const { run, data, archive } = await aSiteToKeep(engine);
    const { code, out, err } = await run('backup', archive, '--media', join(data, 'nowhere'));
    assert.equal(code, 0);
    assert.match(
      err,
      /^The folder .*\/nowhere does not exist, so the archive holds no uploaded files; [^\n]*--media or GATEHOUSE_MEDIA\.\n$/,
    );
    assert.match(out, /rows and no uploaded files\.\n$/);
    assert.equal(existsSync(join(data, 'nowhere')), false);
  });

  test('leave files alone when the archive has none', async () => {
    const { run, archive } = await aSiteToKeep(engine);
    assert.match((await run('backup', archive, '--no-media')).out, /rows and no uploaded files\.\n$/);
    const place = await engine.place();
    mkdirSync(join(place.data, 'media'));
    writeFileSync(join(place.data, 'media/mine.jpg'), 'mine');
    const { code, out } = await restore(archive, place);
    assert.equal(code, 0);
    assert.match(out, /The archive holds no uploaded files; the files of the site are unchanged\.\n/);
    assert.deepEqual(readdirSync(join(place.data, 'media')), ['mine.jpg']);
  });
});
