// The list of installed software, and old sites on the same machine.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { isOutdated, releasesIn } from '../../software/releases.ts';
import { findSites, idOf } from './old-sites.ts';
import { createVersionManagement } from './version-management.ts';

const base = '/api/secsuite/v1/version-management/old-site-scan';

function aTree(atEnd: (step: () => Promise<void>) => void): string {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  atEnd(async () => rmSync(root, { recursive: true, force: true }));
  const put = (folder: string, file: string, text: string) => {
    mkdirSync(join(root, folder, file, '..'), { recursive: true });
    writeFileSync(join(root, folder, file), text);
  };
  const ours = (version: string) => JSON.stringify({ name: 'gatehouse', version, bin: { gatehouse: 'x' } });
  put('old', 'package.json', ours('0.0.1'));
  put('a/b/c', 'package.json', ours('99.0.0'));
  put('other', 'package.json', '{"name":"gatehouse-like","version":"0.0.1"}');
  put('broken', 'package.json', '{"name": "gatehouse"');
  put('former', 'wp-includes/version.php', "<?php $wp_version = '4.9.1';");
  symlinkSync(root, join(root, 'a', 'loop'));
  symlinkSync('/usr', join(root, 'a', 'out'));
  return root;
}

eachEngine('version-management: software', (engine) => {
  test('is listed, and old sites are found, muted, mailed and forgotten', async () => {
    const root = aTree(engine.atEnd);
    const [site, suite] = await aGuardedSite(engine, { env: { GATEHOUSE_SCAN_ROOTS: root } });
    await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
    const admin = site.as('administrator');
    const { body: packages } = await admin.get('/api/secsuite/rpc/version-management/packages');
    const byId = new Map(packages.map((one: { id: string }) => [one.id, one]));
    assert.deepEqual(
      ['core:gatehouse', 'core:node', 'plugin:security-suite', 'dependency:npm/kysely'].filter((id) => !byId.has(id)),
      [],
    );
    assert.equal(byId.size, packages.length);
    assert.deepEqual(Object.keys(packages[0]).sort(), [
      'active',
      'file',
      'held_back',
      'id',
      'kind',
      'name',
      'update',
      'version',
    ]);

    const { status, body: found } = await admin.post(base, {});
    const old = idOf(join(root, 'old'));
    assert.deepEqual(
      [status, found.map(({ title }: { title: string }) => title).sort()],
      [200, [join(root, 'former'), join(root, 'old')]],
    );
    const muted = await admin.post(`${base}/${old}/mute`, {});
    assert.deepEqual(
      [muted.status, muted.body.muted, Object.keys(muted.body._links)[0]],
      [200, true, 'secsuite:unmute-issue'],
    );
    assert.equal((await admin.post(`${base}/abc/mute`, {})).body.code, 'rest_not_found');
    assert.equal((await site.as('editor').post(base, {})).body.code, 'rest_forbidden');
    await admin.patch('/api/secsuite/v1/settings/version-management', { scan_for_old_sites: true });
    await suite.tasks.start('old-site-scan');
    await site.app.services.jobs.settled();
    const mails = (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test').map(({ text }) => text);
    assert.deepEqual(
      mails.map((text) => [text.includes(join(root, 'former')), text.includes(join(root, 'old'))]),
      [[true, false]],
    );
    await assert.rejects(suite.versions.scanAndMail(AbortSignal.abort()));
    rmSync(join(root, 'former'), { recursive: true });
    assert.deepEqual(
      (await admin.post(base, {})).body.map(({ muted }: { muted: boolean }) => muted),
      [true],
    );
    rmSync(join(root, 'old'), { recursive: true });
    assert.deepEqual((await admin.post(base, {})).body, []);

    // The software of the site itself is out of date while an update waits for more than 30 days.
    const { settings } = suite;
    const garden = { kind: 'plugin', file: 'garden', update: '2.0.0' };
    const outdated: boolean[] = [];
    for (const [days, update] of [
      [0, '2.0.0'],
      [31, '2.0.0'],
      [32, null],
    ] as const) {
      const deps = { clock: () => new Date(day * days), settings, version: '0.0.1', releases: async () => [] };
      const inventory = { list: async () => [{ ...garden, update }] };
      await createVersionManagement({ ...deps, inventory } as never).noteOutdated();
      outdated.push(settings.of('version-management').is_software_outdated);
    }
    assert.deepEqual(outdated, [false, true, false]);
  });

  test('is looked for in bounded many folders, and outdated by the dates of releases', async () => {
    const root = aTree(engine.atEnd);
    const search = { roots: [root], own: join(root, 'old') };
    const all = await findSites({ ...search, limits: { depth: 8, folders: 100 } });
    assert.deepEqual(all.map(({ path }) => path.slice(root.length)).sort(), ['/a/b/c', '/former']);
    assert.deepEqual(await findSites({ ...search, limits: { depth: 0, folders: 100 } }), []);
    const releases = releasesIn(
      [
        '## 0.9.0, not released',
        '## 0.3.0, 1 October 2026',
        '## 0.2.1, 20 September 2026',
        '## 0.2.0, 1 March 2026',
      ].join('\n'),
    );
    const at = (version: string, date: string) => isOutdated(version, releases, Date.parse(date));
    assert.deepEqual(
      [
        [at('0.3.0', '2026-12-01'), at('9.0.0', '2026-12-01'), at('0.2.1', '2026-10-15'), isOutdated('0.1.0', [], 0)],
        [at('', '2026-10-15'), at('0.2.1', '2026-12-01'), at('0.2.0', '2026-10-02'), at('0.2.7', '2026-10-02')],
      ],
      [
        [false, false, false, false],
        [true, true, true, true],
      ],
    );
  });
});
