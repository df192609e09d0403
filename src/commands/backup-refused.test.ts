// What archives and restores are refused, and what is left then.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markHalf } from '#store/restored.ts';
import { openStore } from '#store/store.ts';
import { aSiteToKeep, at, env, people, restore } from '#test/archived.ts';
import { eachEngine, keptLog } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { stopped } from '#test/serving.ts';
import { tableOwners } from '../boot/tables.ts';

eachEngine('The commands backup, verify and restore', (engine) => {
  test('replace nothing that nobody said to replace', async () => {
    const { run, archive, ...site } = await aSiteToKeep(engine);
    await run('backup', archive);
    const again = await run('backup', archive);
    assert.equal(again.code, 1);
    assert.match(again.err, /^.*site\.ghb exists already; add --force to replace it, or name another file\.\n$/);
    assert.equal((await run('backup', archive, '--force')).code, 0);

    await run('user', 'create', 'late', '--email', 'late@example.org', '--role', 'author', '--generate');
    const refused = await run('restore', archive);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^There is a site in .* already; add --force to replace it\.\n$/);
    const unasked = await run('restore', archive, '--force');
    assert.deepEqual(
      [unasked.code, unasked.err],
      [2, 'This cannot be undone, and there is no terminal to ask for confirmation; add --yes.\n'],
    );
    assert.match((await run('user', 'list')).out, /^late /m);
    assert.equal((await run('restore', archive, '--force', '--yes')).code, 0);
    assert.doesNotMatch((await run('user', 'list')).out, /^late /m);
    assert.ok(existsSync(join(site.data, 'media/photo.jpg')));
  });

  test('do not replace a site while it serves', async () => {
    const { run, serveHere, archive } = await aSiteToKeep(engine);
    const site = await serveHere();
    await run('backup', archive);
    const refused = await run('restore', archive, '--force', '--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^Another process uses this site; stop all processes of the site first\.\n$/);
    await stopped(site);
    assert.equal((await run('restore', archive, '--force', '--yes')).code, 0);
  });

  test('leave a site that was restored by half to a restore alone, and it serves once that has gone well', async () => {
    const { run, serveHere, archive } = await aSiteToKeep(engine);
    await run('backup', archive);
    const place = await engine.place();
    assert.equal((await restore(archive, place)).code, 0);
    const store = await openStore({ ...place, tables: tableOwners(), log: keptLog() });
    await store.write(markHalf);
    await store.close();
    const told =
      /^A restore into .* stopped before all files were restored; run the same restore again with --force\.\n$/;
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
    await serveHere();
  });

  test('say in one sentence what is wrong, and leave nothing behind', async () => {
    const { run, data, archive } = await aSiteToKeep(engine);
    const empty = await engine.place();
    const nothing = await gatehouse(['backup', archive, ...at(empty)], env);
    assert.equal(nothing.code, 1);
    assert.match(nothing.err, /^(?:There is no site in .*|This database holds no site) yet; [^\n]*\n$/);
    assert.match(
      (await run('backup', join(data, 'media/site.ghb'))).err,
      /^The archive cannot be written into the folder of the uploaded files;/,
    );
    symlinkSync(join(data, 'media'), join(data, 'way'));
    assert.match(
      (await run('backup', join(data, 'way/site.ghb'))).err,
      /^The archive cannot be written into the folder of the uploaded files;/,
    );
    assert.match(
      (await run('backup', join(data, 'nowhere/site.ghb'))).err,
      /^The archive .* cannot be used: the file or folder does not exist\.\n$/,
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
    assert.match(
      other.err,
      /^The secret does not decrypt the keys in the archive; give the secret of the backed-up site [^\n]*\n$/,
    );
    assert.equal(await people(empty), '');
  });
});
