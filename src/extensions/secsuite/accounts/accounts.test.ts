// Scans of accounts, and what security managers see of users.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { strong } from '#test/password-rules.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { type Client, noon, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';
import type { Suite } from '../parts.ts';

const v1 = '/api/secsuite/v1';
const users = '/api/core/v2/users';
const behalf = { caller: { id: 0, can: () => true } };

eachEngine('accounts:', (engine) => {
  let now = noon;
  let site: TestSite;
  let suite: Suite;
  let admin: Client;
  const people: Record<string, User> = {};
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const groupOf = async (label: string, roles: string[]): Promise<string[]> => {
    const group = await suite.groups.add({ label, roles });
    return ['id' in group ? group.id : group.ids[0]!];
  };
  before(async () => {
    [site, suite] = await aGuardedSite(engine, { clock: () => now });
    admin = site.as('administrator');
    await admin.get(`${users}/me`);
    await suite.switches.set('two-factor', true, behalf);
    for (const [login, role] of [
      ['anna', 'administrator'],
      ['bob', 'editor'],
      ['cleo', 'editor'],
      ['dan', 'author'],
    ] as const)
      people[login] = await site.user({ login, password: strong, email: `${login}@site.test`, roles: [role] });
  });
  const scanned = async (path: string) =>
    (
      (await admin.get(`${v1}/${path}`)).body as { title: string; severity: string; muted: boolean; meta?: object }[]
    ).map(({ title, severity, muted, meta }) => ({ title, severity, muted, ...meta }));

  test('strong-passwords names administrators without one, once it was measured; it can be muted', async () => {
    const path = 'strong-passwords/scan';
    assert.deepEqual(await scanned(path), [
      { title: 'administrator', severity: 'medium', muted: false, strength: null },
      { title: 'anna', severity: 'medium', muted: false, strength: null },
    ]);
    await aVisitor(site).signIn('anna', strong);
    await suite.passwords.settle();
    assert.deepEqual(
      (await scanned(path)).map(({ title }) => title),
      ['administrator'],
      'a strong one is no issue',
    );
    await site.app.services.identity.users.change(people.anna!, { password: 'password4321' });
    await site.app.services.events.settled();
    await suite.passwords.settle();
    assert.deepEqual((await scanned(path)).at(-1), { title: 'anna', severity: 'high', muted: false, strength: 1 });
    const of = `${v1}/${path}/${people.anna!.id}`;
    const muted = await admin.post(`${of}/mute`);
    assert.deepEqual(
      [muted.status, muted.body.muted, Object.keys(muted.body._links)],
      [200, true, ['secsuite:unmute-issue', 'curies']],
    );
    assert.deepEqual((await admin.post(`${of}/mute`)).body, muted.body);
    assert.equal((await scanned(path)).at(-1)?.muted, true);
    assert.equal((await admin.post(`${of}/unmute`)).body.muted, false);
    assert.equal((await admin.post(`${v1}/${path}/${people.dan!.id}/mute`)).status, 200, 'also one it does not list');
    for (const id of ['99999', '9'.repeat(20)]) {
      const missing = await admin.post(`${v1}/${path}/${id}/mute`);
      assert.deepEqual([missing.status, missing.body.code], [404, 'rest_not_found']);
    }
    assert.equal((await site.get(`${v1}/${path}`)).status, 401);
    assert.equal((await site.as('subscriber').get(`${v1}/${path}`)).body.code, 'rest_forbidden');
    const group = await groupOf('Administrators', suite.accounts.rolesAt('administrator'));
    const asked = { requirement_settings: { strength: { group } } };
    await suite.settings.overlay('password-requirements', asked, behalf);
    assert.deepEqual(await scanned(path), [], 'the next sign-in asks for a strong one');
    await suite.settings.overlay(
      'password-requirements',
      { requirement_settings: { strength: { group: [] } } },
      behalf,
    );
  });

  test('two-factor names administrators without a code, and reminds them', async () => {
    const path = 'two-factor/scan';
    assert.deepEqual(
      (await scanned(path)).map(({ title }) => title),
      ['administrator', 'anna'],
    );
    const of = `${v1}/${path}/${people.anna!.id}/remind`;
    const reminded = await admin.post(of);
    assert.deepEqual([reminded.status, reminded.body.title], [200, 'anna']);
    assert.deepEqual(Object.keys(reminded.body._links), [
      'secsuite:send-2fa-reminder',
      'secsuite:mute-issue',
      'curies',
    ]);
    const mail = (await mailsOf(site)).findLast(({ to }) => to === 'anna@site.test');
    assert.match(mail!.subject, /Set up two-factor/);
    assert.match(mail!.text, /administrator asks you[^§]*\/account\/two-factor/);
    const silent = await site.user({ login: 'eve', email: '', roles: ['administrator'] });
    const failed = await admin.post(`${v1}/${path}/${silent.id}/remind`);
    assert.deepEqual([failed.status, failed.body.code], [500, 'send_failed'], 'the user has no email address');
    await suite.settings.overlay(
      'two-factor',
      { protect_user_group: await groupOf('All', suite.accounts.rolesAt('administrator')) },
      behalf,
    );
    assert.deepEqual(await scanned(path), []);
    await suite.switches.set('two-factor', false, behalf);
    assert.equal((await admin.get(`${v1}/${path}`)).body.code, 'rest_no_route');
    await suite.switches.set('two-factor', true, behalf);
  });

  test('user-security-check names accounts that nobody used for 30 days, and takes their rights away', async () => {
    const path = 'user-security-check/inactive-users-scan';
    await site.asUser(people.bob!).get(`${users}/me`);
    await site.asUser(people.cleo!).get(`${users}/me`);
    await site.asUser(people.dan!).get(`${users}/me`);
    later(30 * day - 1);
    assert.deepEqual(await scanned(path), []);
    later(1);
    await site.asUser(people.cleo!).get(`${users}/me`);
    await admin.get(`${users}/me`);
    assert.deepEqual(await scanned(path), [{ title: 'bob', severity: 'low', muted: false, roles: ['editor'] }]);
    const sent = async () => {
      await suite.center.sendDue();
      return (await mailsOf(site)).filter(({ subject }) => subject.includes('Unused accounts'));
    };
    await site.set('site', { email: 'owner@site.test' });
    const first = await sent();
    const [mail] = first;
    assert.match(mail?.text ?? '', /- bob \(bob\), last used on 2026-11-20/);
    later(day);
    assert.equal((await sent()).length, first.length, 'not every day again');
    const of = (user: User) => `${v1}/${path}/${user.id}/demote`;
    const demoted = await admin.post(of(people.bob!));
    assert.deepEqual([demoted.status, demoted.body.meta.roles], [200, ['author']]);
    assert.deepEqual(await scanned(path), []);
    const own = await admin.get(`${users}/me`);
    const self = await admin.post(`${v1}/${path}/${own.body.id}/demote`);
    assert.deepEqual([self.status, self.body.code], [400, 'secsuite_cannot_demote_user']);
  });

  test('records of users tell managers how they sign in, and lists are filtered by it', async () => {
    const { cleo, dan } = people as Record<'cleo' | 'dan', User>;
    const authors = await groupOf('Authors', ['author']);
    const fields =
      '_fields=secsuite_2fa,secsuite_password_strength,secsuite_last_seen,secsuite_password_changed,secsuite_edit_user_link,secsuite_passwordless_login';
    const seen = (await admin.get(`${users}/${cleo.id}?context=edit&${fields}`)).body;
    assert.deepEqual(seen, {
      secsuite_last_seen: '2026-12-20T12:00:00+00:00',
      secsuite_edit_user_link: `http://site.test${users}/${cleo.id}`,
      secsuite_password_strength: null,
      secsuite_password_changed: '2026-11-20T12:00:00+00:00',
      secsuite_2fa: 'not-enabled',
      secsuite_passwordless_login: {
        available: false,
        available_methods: ['magic', 'webauthn'].filter(
          (name) => name === 'magic' || suite.switches.isRunning('webauthn'),
        ),
        '2fa_used': false,
        '2fa_enforced': false,
        enabled: true,
        '2fa_enabled': true,
      },
    });
    const own = (await site.asUser(cleo).get(`${users}/me?context=edit&${fields}`)).body;
    assert.deepEqual(
      [own.secsuite_2fa, own.secsuite_password_strength, own.secsuite_edit_user_link, own.secsuite_last_seen],
      [null, null, null, '2026-12-21T12:00:00+00:00'],
    );
    assert.equal('secsuite_2fa' in (await admin.get(`${users}/${cleo.id}`)).body, false);

    await suite.settings.overlay('two-factor', { protect_user_group: authors }, behalf);
    assert.equal((await admin.get(`${users}/${dan.id}?context=edit`)).body.secsuite_2fa, 'enforced-not-configured');
    await suite.twoFactor.turnOnEmail(cleo, 'proven', async () => {});
    const listed = async (query: string, client = admin) =>
      ((await client.get(`${users}?orderby=id&_fields=slug&context=edit&${query}`)).body as { slug: string }[]).map(
        ({ slug }) => slug,
      );
    const all = await listed('');
    assert.deepEqual(await listed('secsuite_2fa=enabled'), ['cleo']);
    assert.deepEqual(
      await listed('secsuite_2fa=not-enabled'),
      all.filter((slug) => slug !== 'cleo'),
    );
    assert.deepEqual(await listed('secsuite_password_strength[]=1'), ['anna']);
    assert.deepEqual(await listed(`secsuite_user_groups[]=${authors[0]}`), ['bob', 'dan']);
    assert.deepEqual(await listed('secsuite_last_seen[before]=2026-12-01T00:00:00Z'), ['bob', 'dan', 'subscriber']);
    assert.deepEqual(await listed('secsuite_password_changed[after]=2026-11-20T12:00:00Z'), []);
    assert.equal((await admin.get(`${users}?secsuite_2fa=some`)).body.code, 'rest_invalid_param');
    const manager = await groupOf('Managers', ['editor']);
    assert.deepEqual((await site.as('subscriber').get(`${users}?secsuite_2fa=enabled`)).body, []);
    assert.ok(manager.length > 0);
    const { id } = (await site.as('subscriber').get(`${users}/me`)).body;
    const kept = await admin.post(`${v1}/user-security-check/inactive-users-scan/${id}/demote`);
    assert.deepEqual([kept.status, kept.body.meta.roles], [200, ['subscriber']], 'no rights are gained');

    const sent = { secsuite_passwordless_login: { enabled: false, '2fa_enabled': true } };
    const changed = await admin.patch(`${users}/${dan.id}`, sent);
    assert.equal(changed.body.secsuite_passwordless_login.enabled, false);
    await suite.settings.overlay('passwordless-login', { '2fa_bypass_group': authors }, behalf);
    const keeps = async () =>
      (await admin.get(`${users}/${dan.id}?context=edit`)).body.secsuite_passwordless_login['2fa_enabled'];
    assert.equal(await keeps(), false);
    const whole = (await admin.get(`${users}/${dan.id}?context=edit`)).body;
    await admin.put(`${users}/${dan.id}`, { ...whole, ...sent });
    assert.equal(await keeps(), true);
    assert.equal(await suite.twoFactor.isBypassed(dan, 'webauthn'), false);
    const query = { secsuite_2fa: 'enabled' };
    const actions = { 'add-user-groups': await groupOf('Found', ['no-role']) };
    await admin.post(`${v1}/user-actions`, { query, actions });
    await site.app.services.jobs.settled();
    assert.deepEqual(
      (await suite.groups.find(actions['add-user-groups'][0]!))?.users,
      [cleo.id],
      'no more than were asked for',
    );
  });
});
