// The mail of a scan: its link, what may be done with the token in it, and updates of what is unsafe.
import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { activate, install, trusting } from '#test/package-site.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aShop } from '#test/shop.ts';

const base = '/api/secsuite/v1/site-scanner';
const hole = {
  id: 'CVE-2026-0001',
  summary: 'The bell can be rung by anybody',
  published: '2026-11-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'Gatehouse', name: 'bell' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.3.0' }] }],
    },
  ],
};

async function aSiteWithAHole(engine: TestEngine) {
  const shop = aShop(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const advisories = join(folder, 'advisories.json');
  writeFileSync(advisories, JSON.stringify([hole]));
  const time = { now: Date.parse('2026-11-28T12:00:00Z') };
  const { env, ...options } = trusting(shop);
  const [site, suite] = await aGuardedSite(engine, {
    ...options,
    clock: () => new Date(time.now),
    env: { ...env, GATEHOUSE_ADVISORIES: advisories },
  });
  const boss = await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
  shop.offer();
  await install(site);
  await activate(site);
  const scan = async () => {
    time.now += 61_000;
    await suite.scanner.schedule();
    await site.app.services.jobs.settled();
  };
  return { site, suite, shop, time, boss, scan, advisories, admin: site.as('administrator') };
}

eachEngine('site-scanner: the mail of a scan', (engine) => {
  test('leads to what was found, where an issue is muted without signing in', async () => {
    const { site, admin, time, boss, scan, advisories } = await aSiteWithAHole(engine);
    await scan();
    writeFileSync(advisories, 'no list');
    await scan();
    writeFileSync(advisories, JSON.stringify([hole]));
    await scan();
    const mails = (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test');
    assert.equal(mails.length, 1, 'what was found before a check failed is not told again');
    const link = /https?:\/\/[^/\s]+(\/scan-results\?scan=(\d+)&key=(\S+))/.exec(mails[0]!.text.replaceAll('=\n', ''));
    assert.ok(link, mails[0]!.text);
    const [, path = '', number, key = ''] = link;
    const page = await site.get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /Bell: The bell can be rung by anybody[\s\S]*<button>Mute<\/button>/);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: site.config.url };
    const sent = new URLSearchParams({ key, scan: number!, issue: 'CVE-2026-0001', action: 'mute' });
    const muted = await site.post('/scan-results', `${sent}`, form);
    assert.match(muted.text, /Your change was saved[\s\S]*<button>Unmute<\/button>/);

    const bearer = { authorization: `Bearer ${key}` };
    const issues = await site.get(`${base}/muted-issues`, bearer);
    assert.deepEqual([issues.status, issues.body[0].muted_by], [200, boss.id]);
    assert.equal((await site.get(`${base}/scans/${number}/issues`, bearer)).status, 200);
    assert.equal((await site.get('/api/secsuite/v1/logs', bearer)).status, 401);
    assert.equal((await site.delete(`${base}/muted-issues/CVE-2026-0001`, undefined, bearer)).status, 204);

    const { id } = (await admin.post('/api/secsuite/v1/dashboards', { label: 'All', preset: 'default' })).body;
    const { body: cards } = await admin.get(`/api/secsuite/v1/dashboards/${id}/cards`);
    const data = (name: string) => cards.find(({ card }: { card: string }) => card === name).data;
    assert.deepEqual(
      [
        data('vulnerable-software').vulnerabilities[0].id,
        data('security-summary').vulnerability.id,
        data('malware-scan').scans[0].code,
      ],
      ['CVE-2026-0001', 'CVE-2026-0001', 'vulnerable-software'],
    );
    time.now += 7 * 86_400_000;
    assert.equal((await site.get(path)).status, 404);
    const late = await site.get(`${base}/scans`, bearer);
    assert.deepEqual([late.status, late.body.code], [401, 'secsuite_site_scanner_expired_token']);
  });

  test('has a token that lets nobody in who made it up, or manages no longer', async () => {
    const { site, suite, time, boss } = await aSiteWithAHole(engine);
    const grant = 'secsuite-site-scanner-manage-scan';
    const ownKey = Buffer.from(hkdfSync('sha256', site.app.services.keys.encryption, '', grant, 32));
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = (claims: object, key = ownKey, head: object = { alg: 'HS256', typ: 'JWT' }) => {
      const text = `${encode(head)}.${encode(claims)}`;
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const now = time.now / 1_000;
    const good = { nbf: now, iat: now, exp: now + 100, grant, user: boss.id };
    const reader = await site.user({ login: 'reader', email: 'reader@site.test', roles: ['subscriber'] });
    const rows: readonly (readonly [string, string, string])[] = [
      ['good', token(good), '200 undefined'],
      ['made here', suite.mailTokens.make(boss.id), '200 undefined'],
      ['of another key', token(good, Buffer.alloc(32)), '401 secsuite_site_scanner_invalid_token'],
      ['unsigned', token(good, ownKey, { alg: 'none' }), '401 secsuite_site_scanner_invalid_token'],
      ['in pieces', 'a.b', '401 secsuite_site_scanner_invalid_token'],
      ['too early', token({ ...good, nbf: now + 5 }), '401 secsuite_site_scanner_expired_token'],
      ['for something else', token({ ...good, grant: 'x' }), '401 secsuite_site_scanner_invalid_grant'],
      ['for nothing', token({ ...good, grant: undefined }), '401 secsuite_site_scanner_muted_auth_missing_grant'],
      ['of nobody', token({ ...good, user: undefined }), '401 secsuite_site_scanner_muted_auth_missing_user'],
      ['of a reader', token({ ...good, user: reader.id }), '401 secsuite_site_scanner_muted_auth_invalid_user'],
    ];
    const offenders: string[] = [];
    for (const [name, sent, expected] of rows) {
      const { status, body } = await site.get(`${base}/scans`, { authorization: `Bearer ${sent}` });
      if (`${status} ${body.code}` !== expected) offenders.push(`${name}: ${status} ${body.code}`);
    }
    assert.deepEqual(offenders, []);
  });

  test('is followed by an update of what is unsafe, if the owner wants that', async () => {
    const { site, shop, time, scan, admin } = await aSiteWithAHole(engine);
    await admin.patch('/api/secsuite/v1/settings/version-management', { update_if_vulnerable: true });
    shop.offer({ manifest: { version: '1.3.0' } });
    await scan();
    await site.app.services.events.settled();
    const resolution = async () => (await admin.get(`${base}/vulnerabilities/CVE-2026-0001`)).body.resolution.slug;
    assert.equal(await resolution(), '');
    time.now += 5 * 60_000;
    await site.app.services.jobs.settled();
    await site.app.services.events.settled();
    assert.equal(await resolution(), 'auto-updated');
    const bell = (await admin.get('/api/secsuite/rpc/version-management/packages')).body.find(
      ({ id }: { id: string }) => id === 'plugin:bell',
    );
    assert.equal(bell.version, '1.3.0');
  });
});
