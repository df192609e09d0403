// Uploaded files can be read by visitors: what the suite writes for the site alone never lies among them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';

const global = '/api/secsuite/v1/settings/global';
const tool = '/api/secsuite/v1/tools/server-config-rules';
const uploads = '/wp-content/uploads/2026/11';

eachEngine('Among the uploads', (engine) => {
  const aFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test('no rule file may lie, which names the addresses that are banned', async () => {
    const media = aFolder();
    const [site, suite] = await aGuardedSite(engine, { config: { media: { kind: 'folder', path: media } } });
    const admin = site.as('administrator');
    const refused = await admin.patch(global, { nginx_file: join(media, 'rules.conf') });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /secsuite-validator-global-invalid-type-nginx_file-file-path/);
    const free = join(aFolder(), 'rules.conf');
    for (const path of ['/etc/passwd', '/etc/nginx/nginx.conf', free]) {
      const { status, text } = await admin.patch(global, { nginx_file: path });
      assert.equal(status, 400, path);
      assert.match(text, /secsuite-validator-global-invalid-type-nginx_file-file-path/);
    }
    writeFileSync(free, '');
    assert.equal((await admin.patch(global, { nginx_file: free })).status, 200);
    await suite.configRules.writeServer();
    assert.match(await readFile(free, 'utf8'), /deny all/);
    assert.equal(site.log.lines.filter(({ message }) => /folder of uploaded files/.test(message)).length, 0);
  });

  test('a rule file that lies there when the site starts loses what the suite wrote, and the log names the setting', async () => {
    const both = aFolder();
    const file = join(both, 'nginx.conf');
    writeFileSync(file, '');
    const [other, suite] = await aGuardedSite(engine);
    await other.as('administrator').patch(global, { nginx_file: file });
    await suite.configRules.writeServer();
    const written = await readFile(file, 'utf8');
    assert.match(written, /deny all/);
    writeFileSync(file, `# mine\n${written}`);
    const [site, here] = await aGuardedSite(engine, {
      config: { data: both, media: { kind: 'folder', path: both } },
    });
    await here.ready;
    const told = site.log.lines.filter(({ message }) => /folder of uploaded files/.test(message));
    assert.deepEqual(
      told.map(({ details }) => details),
      [{ settings: ['global.log_location', 'global.nginx_file', 'backup.location'] }],
    );
    assert.match((await site.as('administrator').post(tool, {})).text, /secsuite\.file-writing\.served/);
    assert.equal((await readFile(file, 'utf8')).trim(), '# mine');
  });

  test('scripts are sent to nobody, unless somebody wants it so', async () => {
    const [site] = await aGuardedSite(engine);
    const names = ['a.php', 'b.PHP7', 'c.phtml', 'notes.txt'];
    for (const name of names) await site.app.services.files.put(`2026/11/${name}`, Buffer.from('<?php 1;'));
    const statuses = (all: readonly string[]) =>
      Promise.all(all.map(async (name) => (await site.get(`${uploads}/${name}`)).status));
    assert.deepEqual(await statuses([...names, 'a.ph%70', 'a.php?x=1']), [403, 403, 403, 200, 403, 403]);
    const { body } = await site.get(`${uploads}/a.php`, { accept: 'application/json' });
    assert.equal(body.code, 'secsuite_script_refused');
    const set = await site.as('administrator').patch('/api/secsuite/v1/settings/system-tweaks', { uploads_php: false });
    assert.equal(set.status, 200);
    assert.deepEqual(await statuses(names), [200, 200, 200, 200]);
  });
});
