// Automatic updates: when they are installed, what is held back and why, and how the earlier version comes back.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { activate, install, trusting } from '#test/package-site.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aShop, ringing } from '#test/shop.ts';
import { soon } from '#test/soon.ts';
import type { Software } from '../../software/inventory.ts';
import { versionManagementPart } from './part.ts';
import { decide, openWindow, type UpdateSettings } from './plan.ts';
import { readDetails, updatesSeen } from './update-details.ts';

const settingsPath = '/api/secsuite/v1/settings/version-management';
const packagesPath = '/api/secsuite/rpc/version-management/packages';

/** A version that starts, and says of the site that it is not well. */
const ill = `
export default () => ({
  name: 'bell',
  nouns: () => ({}),
  health: {
    checks: [{
      name: 'clapper', what: 'Clapper', about: 'Whether there is one.', badge: 'Performance',
      look: () => ({ state: 'wrong', finding: 'there is none', remedy: 'Make one.' }),
    }],
  },
});
`;

async function aSiteWithBell(engine: TestEngine, at = '2026-11-28T01:59:00Z') {
  const shop = aShop(engine);
  const time = { now: Date.parse(at) };
  const [site, suite] = await aGuardedSite(engine, { ...trusting(shop), clock: () => new Date(time.now) });
  await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
  const admin = site.as('administrator');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  await admin.patch('/api/secsuite/v1/settings/backup', { method: 'local', location: folder });
  shop.offer();
  assert.equal((await install(site)).status, 200);
  assert.equal((await activate(site)).status, 200);
  const set = async (values: Record<string, unknown>) => {
    const { status, text } = await admin.patch(settingsPath, values);
    assert.equal(status, 200, text);
  };
  const shown = async () => {
    const bell = (await admin.get(packagesPath)).body.find(({ id }: { id: string }) => id === 'plugin:bell');
    return [bell.version, bell.update, bell.held_back];
  };
  /** What the schedule does. */
  const look = async () => {
    const isDue = await suite.updates.isDue();
    if (isDue) await suite.lookForUpdates();
    await site.app.services.jobs.settled();
    return isDue;
  };
  const logged = async () => {
    await site.app.services.events.settled();
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?module=version_management&per_page=100');
    return body.map(
      ({ code }: { code: { raw: { code: string; data: string[] } } }) => `${code.raw.code} ${code.raw.data}`,
    );
  };
  const mails = async () => (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test');
  return { site, suite, admin, shop, time, folder, set, shown, look, logged, mails };
}

const hour = 3_600_000;

eachEngine('version-management: automatic updates', (engine) => {
  test('wait for their window, follow a backup, and are told', async () => {
    const { shop, time, folder, set, shown, look, logged, mails, admin } = await aSiteWithBell(engine);
    shop.offer({ manifest: { version: '1.3.0' } });
    time.now += 2 * hour;
    assert.deepEqual(await shown(), ['1.2.0', '1.3.0', 'Automatic updates of extensions are turned off.']);
    assert.equal(await look(), false);
    time.now += 22 * hour - 120_000;
    await set({ plugin_automatic_updates: 'all', update_window_start: 2, update_window_hours: 3 });
    assert.deepEqual(await shown(), ['1.2.0', '1.3.0', 'It is installed automatically from 02:00 to 05:00.']);
    assert.equal(await look(), false);
    const earlier = [1, 2, 3].map((on) => `before-update-2025010${on}T000000Z-${randomUUID()}.gatehouse`);
    for (const name of earlier) writeFileSync(join(folder, name), '');
    time.now += 5 * 60_000;
    assert.equal(await look(), true);
    assert.deepEqual(await shown(), ['1.3.0', null, null]);
    const kept = readdirSync(folder).sort();
    assert.deepEqual([kept.length, kept.includes(earlier[0]!), kept.includes(earlier[1]!)], [3, false, true]);
    assert.equal(await look(), false, 'once in each window');
    assert.deepEqual(await logged(), ['auto-update plugin,bell,1.3.0']);
    const [mail] = await mails();
    assert.match(mail!.subject, /Extensions were updated/);
    assert.match(mail!.text, /Bell was updated from 1\.2\.0 to 1\.3\.0\.\n\nNo action needed\./);
    const { body } = await admin.get('/api/secsuite/v1/dashboard/events?events=vm-update-plugin&period=24-hours');
    assert.equal(
      Object.values(body.data as Record<string, { y: number }>).reduce((sum, { y }) => sum + y, 0),
      1,
    );
  });

  test('are taken back if the site is not well afterwards, and are not tried again', async () => {
    const { site, shop, folder, time, set, shown, look, logged, mails } = await aSiteWithBell(engine);
    await set({ plugin_automatic_updates: 'all', update_window_start: 2, update_window_hours: 3 });
    shop.offer({ manifest: { version: '2.0.0', namespaces: [] }, entry: ill });
    time.now += 5 * 60_000;
    assert.equal(await look(), true);
    assert.equal((await site.get('/api/bell/v1/ring')).text, '{"ring":"ding"}');
    const [version, update, heldBack] = await shown();
    assert.deepEqual([version, update], ['1.2.0', '2.0.0']);
    assert.match(
      heldBack,
      /^Version 2\.0\.0 was tried on 2026-11-28\. .*Clapper: there is none\. The site runs 1\.2\.0 again\.$/,
    );
    assert.deepEqual(await logged(), ['auto-update-failed plugin,bell,2.0.0']);
    assert.match((await mails()).at(-1)!.subject, /An automatic update failed/);
    const inspected = { store: site.app.services.store } as never;
    const seen = await versionManagementPart.doctor![0]!.look(inspected);
    assert.equal(seen?.finding, 'failed: bell 2.0.0; the site runs the earlier versions');
    time.now += 24 * hour;
    assert.equal(await look(), true);
    assert.equal(readdirSync(folder).length, 1, 'nothing was tried, so there is no other backup');
    shop.offer({ manifest: { version: '2.0.1' }, entry: ringing() });
    time.now += 24 * hour;
    assert.equal(await look(), true);
    assert.deepEqual(await shown(), ['2.0.1', null, null]);
    site.log.lines.length = 0;
  });

  test('are finished after a process was killed while it looked at the site', async () => {
    const { site, suite, shop, time, set, shown, look, logged, mails } = await aSiteWithBell(engine);
    await set({ plugin_automatic_updates: 'all', update_window_start: 2, update_window_hours: 3 });
    const { extensions } = site.app.services;
    const killed = async (to: string) => {
      const faultAfter = Promise.withResolvers<string | undefined>();
      void extensions.update('bell', {}, { automatic: true, faultAfter: () => faultAfter.promise });
      await soon(async () => (await extensions.find('bell'))?.version, to);
      const pending = { slug: 'bell', from: '1.2.0', to, wrong: [] };
      await suite.settings.keep('version-management', { update_details: { last_run: 0, failures: {}, pending } });
      time.now += 24 * hour + 6 * 60_000; // the lease of the update is over
      assert.equal(await look(), true);
    };
    shop.offer({ manifest: { version: '2.0.0', namespaces: [] }, entry: ill });
    await killed('2.0.0');
    assert.equal((await site.get('/api/bell/v1/ring')).text, '{"ring":"ding"}');
    const [version, , heldBack] = await shown();
    assert.deepEqual(
      [version, /^Version 2\.0\.0 was tried on .*Clapper: there is none\./.test(heldBack)],
      ['1.2.0', true],
    );
    assert.ok((await logged()).includes('auto-update-interrupted plugin,bell,1.2.0'));
    assert.match((await mails()).at(-1)!.subject, /An automatic update failed/);
    shop.offer({ manifest: { version: '2.0.1' }, entry: ringing() });
    await killed('2.0.1');
    assert.deepEqual(await shown(), ['2.0.1', null, null]);
    assert.ok((await logged()).includes('auto-update plugin,bell,2.0.1'));
    site.log.lines.length = 0;
  });

  test('do not begin without a backup, nor for a site that was stopped in the middle', async () => {
    const { site, suite, shop, time, set, shown, look, logged, mails, admin } = await aSiteWithBell(engine);
    await set({ plugin_automatic_updates: 'custom', packages: { 'plugin:bell': { type: 'enabled' } } });
    shop.offer({ manifest: { version: '1.3.0' } });
    rmSync((await admin.get('/api/secsuite/v1/settings/backup')).body.location, { recursive: true, force: true });
    await admin.patch('/api/secsuite/v1/settings/backup', { location: '/proc/nowhere' });
    time.now += 5 * 60_000;
    assert.equal(await look(), true);
    assert.equal((await shown())[0], '1.2.0');
    assert.deepEqual(await logged(), ['auto-updates-stopped ']);
    assert.match((await mails()).at(-1)!.text, /No update was installed\. The backup before the updates failed\./);
    const pending = { slug: 'bell', from: '1.1.0', to: '1.2.0', wrong: [] };
    await suite.settings.keep('version-management', { update_details: { last_run: 0, failures: {}, pending } });
    assert.equal(await look(), true);
    assert.ok((await logged()).includes('auto-update-interrupted plugin,bell,1.2.0'));
    assert.match((await mails()).at(-1)!.text, /Bell was updated from 1\.1\.0 to 1\.2\.0\./);
    site.log.lines.length = 0;
  });
});

describe('version-management: what is held back', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const bell = { id: 'plugin:bell', file: 'bell', kind: 'plugin', update: '1.3.0' } as Software;
  const usual: UpdateSettings = {
    plugin_automatic_updates: 'custom',
    packages: {},
    update_if_vulnerable: false,
    update_window_start: 22,
    update_window_hours: 4,
    first_seen: { plugin: {}, theme: {} },
  };

  test('depends on settings, failures and vulnerabilities', () => {
    const rule = (type: string, delay?: number) => ({ packages: { 'plugin:bell': { type, delay } } });
    const seen = (date: string) => ({
      first_seen: { plugin: { bell: { '1.3.0': Date.parse(date) / 1_000 } }, theme: {} },
    });
    const failed = { failures: { bell: { version: '1.3.0', at: now, why: 'It has no clapper.' } } };
    const rows: readonly (readonly [string, Partial<UpdateSettings>, object, readonly string[], string])[] = [
      ['none', { plugin_automatic_updates: 'none' }, {}, [], 'Automatic updates of extensions are turned off.'],
      ['all', { plugin_automatic_updates: 'all' }, {}, [], 'setting'],
      ['not chosen', {}, {}, [], 'This extension is not chosen for automatic updates.'],
      ['enabled', rule('enabled'), {}, [], 'setting'],
      ['disabled', rule('disabled'), {}, [], 'Automatic updates of this extension are turned off.'],
      [
        'too young',
        { ...rule('delay', 7), ...seen('2026-11-22') },
        {},
        [],
        'It is installed automatically after 2026-11-29, 7 days after it was first seen.',
      ],
      ['old enough', { ...rule('delay', 7), ...seen('2026-11-20') }, {}, [], 'setting'],
      [
        'seen in the future',
        { ...rule('delay', 7), ...seen('2027-11-20') },
        {},
        [],
        'It is installed automatically after 2026-12-05, 7 days after it was first seen.',
      ],
      [
        'failed',
        { plugin_automatic_updates: 'all' },
        failed,
        [],
        'Version 1.3.0 was tried on 2026-11-28. It has no clapper.',
      ],
      ['unsafe', { plugin_automatic_updates: 'none', update_if_vulnerable: true }, {}, ['bell'], 'vulnerability'],
      [
        'unsafe, and left',
        { plugin_automatic_updates: 'none' },
        {},
        ['bell'],
        'Automatic updates of extensions are turned off.',
      ],
    ];
    const offenders = rows.flatMap(([name, set, details, fixes, expected]) => {
      const context = {
        settings: { ...usual, ...set },
        details: readDetails(details),
        fixes: new Set(fixes),
        isAllowed: true,
        now,
      };
      const found = Object.values(decide(bell, context))[0];
      return found === expected ? [] : [`${name}: ${found}`];
    });
    assert.deepEqual(offenders, []);
  });

  test('waits for a window, which may cross midnight, and is told by doctor', () => {
    const zone = { timezone: 'Europe/Berlin', offset: 0 };
    const began = (time: string) => {
      const found = openWindow(usual, zone, Date.parse(time));
      return found === undefined ? undefined : new Date(found).toISOString();
    };
    assert.deepEqual(
      ['2026-11-28T20:59:59Z', '2026-11-28T21:00:00Z', '2026-11-29T00:59:59Z', '2026-11-29T01:00:00Z'].map(began),
      [undefined, '2026-11-28T21:00:00.000Z', '2026-11-28T21:00:00.000Z', undefined],
    );
    const failures = { bell: { version: '2.0.0', at: now, why: 'It has no clapper.' } };
    const states = [{}, { last_run: now }, { last_run: now, failures }, { fault: 'No backup.' }].map((details) =>
      updatesSeen(readDetails(details), true),
    );
    assert.deepEqual(
      states.map((seen) => seen?.state),
      ['note', 'ok', 'warning', 'warning'],
    );
    assert.equal(updatesSeen(readDetails(undefined), false), undefined);
  });
});
