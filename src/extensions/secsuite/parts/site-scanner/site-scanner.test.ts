// Scans of a site: what they find, what managers do about it, and what becomes of it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { install, trusting } from '#test/package-site.ts';
import { aRemote } from '#test/remote.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aShop } from '#test/shop.ts';
import type { SiteOptions } from '#test/site.ts';
import { kept, send } from '#test/uploads.ts';

const base = '/api/secsuite/v1/site-scanner';
const scans = `${base}/scans`;
const testFile = ['X5O!P%@AP[4\\PZX54(P^)', '7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE', '!$H+H*'].join('');

const hole = (name: string, fixed: string) => ({
  id: 'GHSA-test-hole-0001',
  aliases: ['CVE-2026-0001'],
  summary: 'The bell can be rung by anybody',
  published: '2026-11-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'Gatehouse', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  database_specific: { cwe_ids: ['CWE-862'] },
});

function aFolder(engine: TestEngine): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function aScannedSite(engine: TestEngine, options: SiteOptions = {}) {
  const time = { now: Date.parse('2026-11-28T12:00:00Z') };
  const advisories = join(aFolder(engine), 'advisories.json');
  writeFileSync(advisories, JSON.stringify([hole('bell', '1.3.0')]));
  const [site, suite] = await aGuardedSite(engine, {
    ...options,
    clock: () => new Date(time.now),
    env: { GATEHOUSE_ADVISORIES: advisories, ...options.env },
  });
  const admin = site.as('administrator');
  const scan = async () => {
    time.now += 61_000;
    const { status, body, text } = await admin.post(scans, {});
    assert.equal(status, 201, text);
    return body;
  };
  const issuesOf = async ({ id }: { id: number }, query = '') =>
    (await admin.get(`${scans}/${id}/issues${query}`)).body.map(
      ({ id, entry, status }: Record<string, string>) => `${entry} ${id} ${status}`,
    );
  return { site, suite, admin, scan, issuesOf, time, advisories };
}

eachEngine('site-scanner: scans', (engine) => {
  test('find an extension with a known hole, which is muted, unmuted and fixed by an update', async () => {
    const shop = aShop(engine);
    const { site, suite, admin, scan, issuesOf, time } = await aScannedSite(engine, trusting(shop));
    await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
    shop.offer();
    assert.equal((await install(site)).status, 200);
    const clean = await scan().catch((error) => error);
    assert.equal(clean.code, 'vulnerable-software');
    assert.equal((await admin.post(scans, {})).body.id, clean.id, 'a scan of the same state is not repeated at once');
    const warned = ['vulnerabilities CVE-2026-0001 warn', 'blacklist local-list clean'];
    assert.deepEqual(await issuesOf(clean), warned);
    assert.deepEqual(await issuesOf(clean, '?entry=malware'), []);
    const issue = `${scans}/${clean.id}/issues/CVE-2026-0001`;
    const shown = await admin.get(issue);
    assert.deepEqual(
      [shown.body.meta.issue.score, shown.body.meta.issue.fixed_in, shown.body.meta.issue.type.slug],
      [9.8, '1.3.0', 'broken-access-control'],
    );
    assert.equal(shown.body._links['secsuite:site-scan-fix-issue'], undefined);

    const muted = await admin.post(`${base}/muted-issues`, { id: 'CVE-2026-0001' });
    assert.deepEqual([muted.status, muted.body.id], [201, 'CVE-2026-0001']);
    const looked = await admin.get(`${scans}/${clean.id}`);
    assert.deepEqual([looked.body.code, looked.body.status], ['vulnerable-software', 'clean']);
    assert.equal((await scan()).code, 'clean');
    assert.equal((await admin.delete(`${base}/muted-issues/CVE-2026-0001`)).status, 204);

    const [one] = (await admin.get(`${base}/vulnerabilities`)).body;
    assert.deepEqual(
      [one.resolution.slug, one.software.type.label, one.resolved_at],
      ['deactivated', 'Extension', one.last_seen],
    );
    const early = await admin.post(`${issue}/fix`, {});
    assert.deepEqual([early.status, early.body.code], [409, 'secsuite_updates_no_update']);
    shop.offer({ manifest: { version: '1.3.0' } });
    time.now += 3_700_000;
    assert.ok((await admin.get(issue)).body._links['secsuite:site-scan-fix-issue']);
    assert.equal((await admin.post(`${issue}/fix`, {})).status, 204);
    const fixed = (await admin.get(`${base}/vulnerabilities/CVE-2026-0001`)).body;
    assert.deepEqual([fixed.resolution.slug, fixed.resolved_by.name !== ''], ['updated', true]);
    const after = await scan();
    assert.deepEqual([after.code, after.status], ['clean', 'clean']);
    const again = await admin.post(`${issue}/fix`, {});
    assert.deepEqual([again.status, again.body.code], [409, 'secsuite_updates_no_update']);

    const { body: listed } = await admin.get(`${scans}?code=vulnerable%25`);
    assert.deepEqual(
      listed.map(({ id }: { id: number }) => id),
      [clean.id],
    );
    await suite.scanner.schedule();
    await site.app.services.jobs.settled();
    assert.equal((await mailsOf(site)).length, 0, 'nothing new, so nothing is mailed');
  });

  test('are mailed by the schedule when they find something new, and name the age of the list', async () => {
    const { site, suite, admin } = await aScannedSite(engine);
    await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
    await admin.post('/api/core/v2/posts', { title: 'Infected', content: Buffer.from(testFile).toString('base64') });
    for (let count = 0; count < 2; count += 1) {
      await suite.scanner.schedule();
      await site.app.services.jobs.settled();
    }
    const mails = (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test');
    assert.equal(mails.length, 1);
    assert.match(mails[0]!.text, /Eicar-Test-File|EICAR test file/);
    assert.match(mails[0]!.text, /of 2026-11-01, 27 days old/);
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?module=site-scanner&type=critical-issue');
    assert.deepEqual(
      body.map(({ code }: { code: { raw: { code: string } } }) => code.raw.code),
      ['found-malware', 'found-malware'],
    );
  });

  test('finish their other checks while a source is away', async () => {
    const reputation = await aRemote((_, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"listed":true,"report":"https://r.test/x"}');
    });
    engine.atEnd(() => reputation.close());
    const { scan, issuesOf, advisories } = await aScannedSite(engine, {
      env: {
        GATEHOUSE_CLAMD: '/nowhere/clamd.sock',
        GATEHOUSE_REPUTATION_URL: reputation.url,
        GATEHOUSE_REPUTATION_KEY: 'a-key-of-sixteen-signs',
        GATEHOUSE_FETCH_ALLOW_HOSTS: reputation.host,
      },
    });
    writeFileSync(advisories, '{"vulns": [{}');
    const first = await scan();
    assert.deepEqual(
      [first.code, first.status, first.entries.map(({ slug, status }: Record<string, string>) => `${slug} ${status}`)],
      ['on-blacklist--has-error', 'warn', ['blacklist warn', 'malware error']],
    );
    assert.deepEqual(
      first.errors.map(({ code }: { code: string }) => code),
      ['advisories-unavailable', 'malware-engine-unavailable'],
    );
    assert.deepEqual(await issuesOf(first), ['blacklist local-list clean', 'blacklist 127-0-0-1 warn']);
    assert.equal(reputation.asked[0]!.headers.authorization, 'Bearer a-key-of-sixteen-signs');
    await reputation.close();
    assert.deepEqual(
      (await scan()).errors.map(({ code }: { code: string }) => code),
      ['advisories-unavailable', 'blacklist-unavailable', 'malware-engine-unavailable'],
    );
  });

  test('check uploads before they are stored, once the owner says so, by ClamAV too', async () => {
    const sent: Buffer[] = [];
    const clamd = createServer((socket) => {
      const pieces: Buffer[] = [];
      socket.on('data', (piece: Buffer) => {
        pieces.push(piece);
        const all = Buffer.concat(pieces);
        if (all.includes('zVERSION')) return void socket.end('ClamAV 1.4.2/27500\0');
        if (!all.subarray(-4).equals(Buffer.alloc(4))) return;
        sent.push(all);
        socket.end(all.includes('worm') ? 'stream: Win.Worm FOUND\0' : 'stream: OK\0');
      });
    }).listen(0, '127.0.0.1');
    await once(clamd, 'listening');
    engine.atEnd(async () => void clamd.close());
    const { site, admin, scan, issuesOf } = await aScannedSite(engine, {
      env: { GATEHOUSE_CLAMD: `127.0.0.1:${(clamd.address() as AddressInfo).port}` },
    });
    const upload = async (name: string, text: string) => {
      const { status, body } = await send(site, 'administrator', name, text);
      return status === 201 ? 201 : `${status} ${body.code}`;
    };
    assert.equal(await upload('before.txt', `${testFile} before`), 201);
    await admin.patch('/api/secsuite/v1/settings/site-scanner', { scan_uploads: true });
    assert.deepEqual(
      [await upload('eicar.txt', testFile), await upload('worm.txt', 'a worm'), await upload('good.txt', 'good')],
      ['400 rest_upload_malware', '400 rest_upload_malware', 201],
    );
    assert.deepEqual(
      kept(site).filter((name) => name.endsWith('.txt')),
      ['before.txt', 'good.txt'],
    );
    const found = await scan();
    assert.deepEqual([found.code, sent.length], ['found-malware', 5]);
    const [, issue] = (await admin.get(`${scans}/${found.id}/issues`)).body;
    assert.match(issue.meta.path, /^uploads\/.*before\.txt$/);
    assert.ok(issue.meta.attachment_id > 0);
    await scan();
    assert.equal(sent.length, 5, 'verdicts on files that did not change are not asked for again');
    assert.equal((await issuesOf(found)).length, 2);
    clamd.close();
    assert.equal(await upload('later.txt', 'later'), '503 rest_upload_unchecked');
  });

  test('are refused to others, and with arguments that mean nothing', async () => {
    const { site, admin, suite } = await aScannedSite(engine);
    await suite.logs.record({ module: 'core', code: 'other', type: 'notice' });
    const rows = [
      ['GET', scans, 401, 'rest_cannot_view', undefined],
      ['POST', scans, 401, 'rest_cannot_create', {}],
      ['POST', `${scans}/1/issues/x/fix`, 401, 'rest_cannot_fix', {}],
      ['DELETE', `${base}/muted-issues/x`, 401, 'rest_cannot_delete', undefined],
      ['GET', `${base}/vulnerabilities`, 401, 'rest_forbidden', undefined],
    ] as const;
    const rowsOfManagers = [
      ['POST', scans, 400, 'rest_invalid_param', { site_id: 2 }],
      ['GET', `${scans}?context=edit`, 400, 'rest_invalid_param', undefined],
      ['GET', `${scans}/1`, 404, 'secsuite_site_scanner_factory_invalid_log_item', undefined],
      ['GET', `${scans}/99999/issues`, 404, 'secsuite_site_scanner_factory_log_not_found', undefined],
      ['GET', `${base}/vulnerabilities/x`, 404, 'rest_not_found', undefined],
      ['POST', `${base}/vulnerabilities/x/deactivate-software`, 404, 'rest_not_found', {}],
      ['GET', `${base}/muted-issues/x`, 404, 'rest_not_found', undefined],
      ['POST', `${base}/muted-issues`, 404, 'secsuite.site-scanner.vulnerabilities.mute.not-found', { id: 'x' }],
    ] as const;
    const offenders: string[] = [];
    const ask = async (who: typeof admin, all: readonly (readonly [string, string, number, string, unknown])[]) => {
      for (const [method, path, status, code, body] of all) {
        const answer = await who.request(method, path, body === undefined ? {} : { body });
        if (answer.status !== status || answer.body.code !== code)
          offenders.push(`${method} ${path}: ${answer.status} ${answer.body.code}`);
      }
    };
    await ask(site as never, rows);
    await ask(
      site.as('editor'),
      rows.map(([method, path, , code, body]) => [method, path, 403, code, body] as const),
    );
    await ask(admin, rowsOfManagers);
    assert.deepEqual(offenders, []);
  });
});
