// Dashboards over HTTP: what is counted, which cards there are, and who sees whose dashboard.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import type { Client, TestSite } from '#test/site.ts';
import type { Suite } from '../../parts.ts';

const v1 = '/api/secsuite/v1';

eachEngine('Dashboards', (engine) => {
  let site: TestSite;
  let suite: Suite;
  let admin: Client;
  let editor: Client;
  let id: number;

  before(async () => {
    [site, suite] = await aGuardedSite(engine);
    admin = site.as('administrator');
    editor = site.as('editor');
  });

  test('shows by the hour and the day what was logged', async () => {
    const wrong = { module: 'brute_force', code: 'invalid-login::user-1', type: 'notice' } as const;
    const ban = {
      module: 'lockout',
      code: 'host-triggered-blacklist',
      type: 'action',
      data: { module: 'recaptcha' },
    } as const;
    for (const at of ['2026-11-20T09:12:00Z', '2026-11-20T09:40:00Z', '2026-11-18T00:00:00Z', '2026-10-20T10:00:00Z'])
      suite.logs.write({ ...wrong, at: new Date(at) });
    suite.logs.write({ ...ban, at: new Date('2026-11-19T10:00:00Z') });
    suite.logs.write({ module: 'firewall', code: 'BLOCK::1', type: 'action', at: new Date('2026-11-20T11:30:00Z') });
    await suite.logs.flush();
    const today = await admin.get(`${v1}/dashboard/events?events[]=local-brute-force&events[]=nothing&period=24-hours`);
    const happened = Object.values<{ t: string; y: number }>(today.body.data).filter(({ y }) => y > 0);
    assert.deepEqual(happened, [{ t: '2026-11-20T09:00:00+00:00', y: 2 }]);
    assert.equal(Object.keys(today.body.data).length, 24);
    const week = await admin.get(`${v1}/dashboard/events?events=local-brute-force,firewall-block&period=week`);
    assert.deepEqual(
      Object.values<{ t: string; y: number }>(week.body.data).map(({ t, y }) => [t.slice(5, 10), y]),
      [
        ['11-13', 0],
        ['11-14', 0],
        ['11-15', 0],
        ['11-16', 0],
        ['11-17', 0],
        ['11-18', 1],
        ['11-19', 0],
        ['11-20', 3],
      ],
    );
    const counted = (await admin.get(`${v1}/dashboard-static?period=week`)).body;
    assert.deepEqual({ ...counted, ips: 0 }, { events: 5, ips: 0, suspicious: 3, blocked: 2 });
    const range = 'period[start]=2026-10-01T00:00:00Z&period[end]=2026-10-20T12:00:00Z';
    assert.equal((await admin.get(`${v1}/dashboard-static?${range}`)).body.events, 1);
  });

  test('is made of cards, placed, and shown with what they hold', async () => {
    const cards = await admin.get(`${v1}/dashboard-available-cards`);
    assert.equal(cards.body[0].slug, 'security-summary');
    const made = await admin.post(`${v1}/dashboards`, { label: 'Board', preset: 'default' });
    assert.equal(made.status, 201);
    id = made.body.id;
    assert.ok(made.headers.get('location')?.endsWith(`/dashboards/${id}`));
    const layout = await admin.get(`${v1}/dashboards/${id}/layout`);
    const [first] = layout.body.cards;
    assert.equal(first.card, 'security-summary');
    const moved = { ...first, size: { wide: { w: 2, h: 1 } }, position: { wide: { x: 1, y: 0 } } };
    const placed = await admin.put(`${v1}/dashboards/${id}/layout`, { cards: [moved] });
    assert.deepEqual([placed.status, placed.body.cards[0]], [200, moved]);
    const shown = await admin.get(`${v1}/dashboards/${id}/cards`);
    const threats = shown.body.find(({ card }: { card: string }) => card === 'brute-force');
    const line = Object.values<{ data: { y: number }[] }>(threats.data)[0]!;
    assert.equal(
      line.data.reduce((sum, { y }) => sum + y, 0),
      4,
    );
    const again = await admin.post(`${v1}/dashboards/${id}/cards/brute-force`, {});
    assert.deepEqual([again.status, again.body.code], [400, 'secsuite_dashboard_maximum_cards']);
    const today = await admin.get(`${v1}/dashboards/${id}/cards/brute-force/${threats.id}?period=24-hours`);
    assert.equal(Object.values<{ data: unknown[] }>(today.body.data)[0]!.data.length, 24);
    assert.equal((await admin.delete(`${v1}/dashboards/${id}/cards/brute-force/${threats.id}`)).status, 204);
    assert.equal((await admin.post(`${v1}/dashboards/${id}/cards/brute-force`, {})).status, 201);
    const index = await admin.get(v1);
    assert.ok(!Object.keys(index.body.routes).some((path) => path.includes('/dashboards')));
  });

  test('is seen by those it is shared with, and changed by its owner alone', async () => {
    const path = `${v1}/dashboards/${id}`;
    const hidden = await editor.get(`${path}/cards/security-summary/1`);
    assert.deepEqual([hidden.status, hidden.body.code], [404, 'rest_no_route']);
    assert.deepEqual(
      [
        (await editor.get(path)).status,
        (await editor.get(`${v1}/dashboard-static`)).status,
        (await editor.get(`${v1}/site-scanner/scans`)).body.code,
      ],
      [403, 403, 'rest_cannot_view'],
    );
    const shared = await admin.put(path, { label: { raw: 'Shared' }, sharing: [{ type: 'role', roles: ['editor'] }] });
    assert.deepEqual([shared.status, shared.body.sharing], [200, [{ type: 'role', roles: ['editor'] }]]);
    const seen = await editor.get(path);
    assert.deepEqual([seen.status, seen.body.label], [200, { rendered: 'Shared' }]);
    assert.equal((await editor.get(`${v1}/dashboards`)).body.length, 1);
    assert.equal((await editor.get(`${v1}/dashboard-static`)).status, 200);
    assert.equal((await editor.get(`${path}/cards`)).status, 200);
    assert.equal((await editor.get(`${v1}/site-scanner/scans`)).status, 200);
    const rows = [
      ['edit', 403, 'rest_forbidden_context', () => editor.get(`${path}?context=edit`)],
      ['change', 403, 'rest_cannot_edit', () => editor.put(path, { label: 'Mine' })],
      ['delete', 403, 'rest_cannot_delete', () => editor.delete(path)],
      ['create', 403, 'rest_cannot_create', () => editor.post(`${v1}/dashboards`, { label: 'x', preset: 7 })],
      ['a card', 404, 'rest_no_route', () => editor.post(`${path}/cards/security-summary`, {})],
      ['unknown card', 404, 'rest_no_route', () => editor.get(`${v1}/dashboard-available-cards/zzz`)],
      ['all cards', 403, 'rest_forbidden', () => editor.get(`${v1}/dashboard-available-cards`)],
      ['events', 403, 'rest_forbidden', () => editor.get(`${v1}/dashboard/events?events=x`)],
      ['nobody', 401, 'rest_forbidden', () => site.get(`${v1}/dashboards`)],
      ['scan', 404, 'secsuite_site_scanner_factory_log_not_found', () => editor.get(`${v1}/site-scanner/scans/999`)],
      ['issues', 403, 'rest_cannot_view', () => editor.get(`${v1}/site-scanner/scans/999/issues`)],
      ['start a scan', 403, 'rest_cannot_create', () => editor.post(`${v1}/site-scanner/scans`, {})],
      ["nobody's scans", 401, 'rest_cannot_view', () => site.get(`${v1}/site-scanner/scans`)],
      ['gone', 404, 'rest_not_found', () => admin.get(`${v1}/dashboards/999`)],
      ['no such card', 404, 'rest_not_found', () => admin.get(`${v1}/dashboard-available-cards/zzz`)],
      [
        'a card of another',
        400,
        'secsuite-dashboard-layout-invalid-cards',
        () => admin.put(`${path}/layout`, { cards: [{ id: 999, card: 'lockout' }] }),
      ],
      ['no events', 400, 'rest_missing_callback_param', () => admin.get(`${v1}/dashboard/events`)],
      [
        'a period that ends first',
        400,
        'secsuite.rest.invalid-period',
        () => admin.get(`${v1}/dashboard-static?period[start]=2026-02-01T00:00:00Z&period[end]=2026-01-01T00:00:00Z`),
      ],
      [
        'too long',
        400,
        'secsuite.rest.invalid-period',
        () => admin.get(`${v1}/dashboard-static?period[start]=2020-02-01T00:00:00Z&period[end]=2026-01-01T00:00:00Z`),
      ],
      ['no period', 400, 'rest_invalid_param', () => admin.get(`${v1}/dashboard-static?period=zzz`)],
    ] as const;
    const offenders: unknown[] = [];
    for (const [what, status, code, send] of rows) {
      const answer = await send();
      if (answer.status !== status || answer.body.code !== code) offenders.push([what, answer.status, answer.body]);
    }
    assert.deepEqual(offenders, []);
  });

  test('shows what is known of accounts and backups', async () => {
    const kim = await site.user({ login: 'kim', roles: ['administrator'] });
    suite.logs.write({ module: 'backup', code: 'file-stored', type: 'notice', data: { file: 'x', size: 2_049 } });
    await site.asUser(kim).get(`${v1}/dashboards`);
    await suite.logs.flush();
    const cards = (await admin.get(`${v1}/dashboards/${id}/cards`)).body;
    const dataOf = (name: string) => cards.find(({ card }: { card: string }) => card === name).data;
    const { users } = dataOf('security-profile-list');
    const { role, two_factor, last_active, password_strength, password_last_changed } = users.find(
      (one: { id: number }) => one.id === kim.id,
    );
    assert.deepEqual(
      [role, two_factor, last_active.diff, password_strength, typeof password_last_changed.time],
      ['Administrator', 'not-available', '1 minute', -1, 'string'],
    );
    assert.deepEqual(dataOf('database-backup').backups[0].size_format, '3 KB');
  });

  test('has buttons that scan, back up, sign out, remind and require new passwords', async () => {
    const cards = (await admin.get(`${v1}/dashboards/${id}/cards`)).body;
    const pathOf = (name: string) => `${v1}/dashboards/${id}/cards/${name}/${idOf(name)}`;
    const idOf = (name: string) => cards.find(({ card }: { card: string }) => card === name).id;
    const relsOf = async (client: Client) =>
      Object.keys((await client.get(pathOf('security-profile-list'))).body._links)
        .filter((rel) => rel.startsWith('secsuite:'))
        .sort();
    assert.deepEqual(await relsOf(editor), ['secsuite:logout']);
    const folder = join(site.config.data, 'card-backups');
    const set = (module: string, values: object) => admin.patch(`${v1}/settings/${module}`, values);
    assert.equal((await set('backup', { location: folder, method: 'local' })).status, 200);
    const scan = await admin.post(`${pathOf('malware-scan')}/scan`, {});
    assert.deepEqual([scan.status, typeof scan.body.code], [200, 'string'], scan.text);
    assert.equal((await admin.post(`${pathOf('database-backup')}/backup`, {})).status, 204);
    assert.equal(readdirSync(folder).length, 1);
    const { identity } = site.app.services;
    const lee = await site.user({ login: 'lee', email: 'lee@site.test' });
    const { cookie } = (await identity.sessions.start(lee, false, { address: '192.0.2.1', agent: '' }))!;
    const list = pathOf('security-profile-list');
    const refused = [
      ['another user', await editor.post(`${list}/logout/${lee.id}`, {})],
      ['a reminder', await editor.post(`${list}/send-2fa-reminder/${lee.id}`, {})],
      ['a scan', await editor.post(`${pathOf('malware-scan')}/scan`, {})],
      ['new passwords', await editor.post(`${list}/force-password-change`, {})],
      ['the wrong card', await admin.post(`${pathOf('lockout')}/scan`, {})],
    ] as const;
    assert.deepEqual(
      refused.map(([what, { status, body }]) => [what, status, body.code]),
      refused.map(([what]) => [what, 404, 'rest_no_route']),
    );
    assert.notEqual(await identity.sessions.find(cookie), undefined);
    assert.equal((await admin.post(`${list}/logout/${lee.id}`, {})).status, 204);
    assert.equal(await identity.sessions.find(cookie), undefined);
    assert.equal((await admin.post(`${list}/logout/999`, {})).body.code, 'rest_not_found');
    assert.equal((await admin.post(`${list}/send-2fa-reminder/${lee.id}`, {})).status, 404);
    await admin.put(`${v1}/modules/two-factor`, { status: { selected: 'active' } });
    assert.equal((await admin.post(`${list}/send-2fa-reminder/${lee.id}`, {})).status, 204);
    assert.ok((await mailsOf(site)).some(({ to, text }) => to === lee.email && /two-factor/.test(text)));
    const isForced = async () => Number((await admin.get(`${v1}/settings/password-expiration`)).body.expire_force) > 0;
    assert.equal((await admin.post(`${list}/force-password-change`, {})).status, 204);
    assert.equal(await isForced(), true);
    assert.ok((await relsOf(admin)).includes('secsuite:clear-password-change'));
    assert.equal((await admin.post(`${list}/clear-password-change`, {})).status, 204);
    assert.equal(await isForced(), false);
  });

  test('is the primary dashboard of the users who choose it', async () => {
    const name = '_secsuite_primary_dashboard';
    const me = '/api/core/v2/users/me';
    const chosen = async (client: Client) => (await client.get(`${me}?context=edit`)).body.meta[name];
    assert.equal(await chosen(editor), 0);
    const other = await admin.post(`${v1}/dashboards`, { label: 'Other' });
    for (const value of [other.body.id, 999, -1, 'x']) {
      const { status, body } = await editor.put(me, { meta: { [name]: value } });
      assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(body));
    }
    assert.equal((await editor.put(me, { meta: { [name]: id } })).body.meta[name], id);
    assert.equal((await admin.put(me, { meta: { [name]: other.body.id } })).status, 200);
    const { id: editorId } = (await editor.get(me)).body;
    const theirs = await admin.put(`/api/core/v2/users/${editorId}`, { meta: { [name]: 0 } });
    assert.deepEqual([theirs.status, theirs.body.code], [403, 'rest_cannot_update']);
    assert.equal((await admin.put(`/api/core/v2/users/${editorId}`, { meta: { [name]: id } })).status, 200);
    await admin.delete(`${v1}/dashboards/${other.body.id}`);
    assert.deepEqual([await chosen(admin), await chosen(editor)], [0, id]);
  });

  test('lets managers end a lockout from its card, and goes with its owner', async () => {
    const lockouts = (await admin.get(`${v1}/dashboards/${id}/cards`)).body.find(
      ({ card }: { card: string }) => card === 'active-lockouts',
    );
    for (let count = 0; count < 5; count += 1)
      await suite.lockouts.strike({ type: 'brute_force', address: '198.51.100.7' });
    const card = `${v1}/dashboards/${id}/cards/active-lockouts/${lockouts.id}`;
    const [lockout] = (await admin.get(card)).body.data.lockouts;
    assert.equal(lockout.host, '198.51.100.7');
    const path = `${card}/lockout/${lockout.id}`;
    assert.ok('history' in (await admin.get(path)).body.detail);
    assert.deepEqual([(await admin.get(`${card}/lockout/999`)).status, (await editor.delete(path)).status], [404, 404]);
    assert.equal((await admin.delete(path)).status, 204);
    assert.deepEqual((await admin.get(card)).body.data.lockouts, []);
    const owner = await site.user({ login: 'owner', roles: ['administrator'] });
    const own = await site.asUser(owner).post(`${v1}/dashboards`, { label: 'Own' });
    assert.equal(own.status, 201);
    await suite.dashboards.forget(owner.id);
    assert.equal(await suite.dashboards.find(own.body.id), undefined);
    assert.equal((await admin.delete(`${v1}/dashboards/${id}`)).status, 204);
    assert.equal((await admin.get(`${v1}/dashboards/${id}`)).status, 404);
  });
});
