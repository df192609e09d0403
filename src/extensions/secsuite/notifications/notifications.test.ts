// What the notification centre shows and takes over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aNotifyingSite, centerSettings as set } from '#test/notifying.ts';
import { soon } from '#test/soon.ts';

const listed = '/api/secsuite/rpc/notification-center/notifications';
const contacts = '/api/secsuite/rpc/notification-center/available-users-roles';
const prefix = 'secsuite-validator-notification-center-invalid-type-';

eachEngine('the notification centre', (engine) => {
  const aHouse = () => aNotifyingSite(engine);

  test('lists the notifications of what runs, by module, to managers alone', async () => {
    const { site, admin } = await aHouse();
    const { status, body } = await admin.get(listed);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).slice(0, 2), ['digest', 'lockout']);
    const modules = Object.values<{ module: string }>(body).map(({ module }) => module);
    assert.deepEqual(modules, modules.toSorted());
    assert.equal('two-factor-email' in body, false);
    const { l10n, ...digest } = body.digest;
    assert.deepEqual(digest, {
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'weekly', default: 'daily', setting_only: false },
      subject_editable: true,
      message_editable: false,
      optional: { default: true },
      tags: [],
      module: '',
      slug: 'digest',
    });
    assert.deepEqual(
      l10n.schedule.map(({ value }: { value: string }) => value),
      ['daily', 'weekly'],
    );
    const exported = body['import-export'];
    assert.deepEqual(
      [exported.recipient, exported.schedule, exported.optional, exported.message_editable, exported.tags],
      ['per-use', 'none', false, true, ['date', 'time', 'site_title', 'site_url']],
    );
    await admin.put('/api/secsuite/v1/modules/two-factor', { status: { selected: 'active' } });
    assert.equal('two-factor-email' in (await admin.get(listed)).body, true);
    for (const path of [listed, contacts]) {
      assert.deepEqual([(await site.get(path)).status, (await site.as('editor').get(path)).status], [401, 403]);
    }
  });

  test('offers as recipients those who stand as high as administrators, by name', async () => {
    const { site, admin } = await aHouse();
    const zoe = await site.user({ login: 'zoe', name: 'Zoe 10', roles: ['administrator'] });
    const amy = await site.user({ login: 'amy', name: 'Zoe 9', roles: ['administrator'] });
    await site.user({ login: 'ed', name: 'Ed', roles: ['editor'] });
    const { body } = await admin.get(contacts);
    assert.deepEqual(body.users.slice(1), [
      { value: amy.id, label: 'Zoe 9 (amy)' },
      { value: zoe.id, label: 'Zoe 10 (zoe)' },
    ]);
    assert.deepEqual(
      body.roles.map(({ value }: { value: string }) => value),
      ['role:administrator', 'role:parish_admin'],
    );
  });

  test('shows how each is set, and may be sent back as it is shown', async () => {
    const { admin, seen } = await aHouse();
    const before = await seen();
    assert.deepEqual(before.notifications.digest, {
      schedule: 'daily',
      subject: 'Summary of your site',
      enabled: true,
      user_list: ['role:administrator'],
      recipient_type: 'default',
    });
    const { status, body } = await admin.put(set, before);
    assert.deepEqual([status, body], [200, before]);
  });

  test('what is as usual follows what is usual, and what a notification is not set by is left out', async () => {
    const { change, site, suite } = await aHouse();
    const usual = suite.center.present().find(({ slug }) => slug === 'import-export')!;
    const { notifications } = await change({
      digest: { subject: 'Mine', message: '<p>Never</p>', schedule: 'weekly', email_list: 'a@site.test' },
      'import-export': { subject: usual.subject, message: usual.message, enabled: false },
      'two-factor-email': { subject: 'For later' },
    });
    assert.deepEqual([notifications.digest.subject, notifications.digest.schedule], ['Mine', 'weekly']);
    assert.deepEqual(
      [
        'message' in notifications.digest,
        'email_list' in notifications.digest,
        'enabled' in notifications['import-export'],
      ],
      [false, false, false],
    );
    const row = await site.app.services.store.db
      .selectFrom('secsuite_settings' as never)
      .select('stored' as never)
      .where('module' as never, '=', 'notification-center' as never)
      .executeTakeFirstOrThrow();
    const kept = JSON.parse((row as { stored: string }).stored).notifications;
    assert.deepEqual(kept['import-export'], { subject: null, message: null });
    assert.deepEqual(kept['two-factor-email'], { subject: 'For later' });
  });

  test('a text keeps links, paragraphs and what stands out, and nothing else', async () => {
    const { change } = await aHouse();
    const message =
      '<p>Hello <b>you</b> <script>x()</script><img src="x"><u>there</u> <a href="javascript:x()" onclick="x()">one</a> <a href="https://site.test/" class="x">two</a> {{ $date }}</p>';
    const { notifications } = await change({ 'import-export': { message } });
    const kept: string = notifications['import-export'].message;
    assert.doesNotMatch(kept, /script|img|<u>|onclick|class/);
    assert.match(kept, /^<p>Hello <b>you<\/b> .*<a href="https:\/\/site\.test\/">two<\/a> \{\{ \$date \}\}<\/p>$/);
  });

  test('a link may lead where a placeholder says, and a text may be sent back with it', async () => {
    const { change, seen, admin, suite, mails } = await aHouse();
    const message = '<p>Look <a href="{{ $site_url }}">here</a></p>';
    const { notifications } = await change({ 'import-export': { message } });
    assert.equal(notifications['import-export'].message, message);
    await admin.put('/api/secsuite/v1/settings/hide-backend', {
      ...suite.settings.of('hide-backend'),
      enabled: true,
    });
    const before = (await seen()).notifications['hide-backend'];
    assert.match(before.message, /href="\{\{ \$login_url \}\}"/);
    await admin.put(set, await seen());
    assert.deepEqual((await seen()).notifications['hide-backend'], before);
    await suite.center.send('import-export', { to: 'a@site.test' });
    assert.equal((await mails()).find(({ to }) => to === 'a@site.test')?.text, 'Look here (http://site.test)');
  });

  test('says what is wrong with what is sent', async () => {
    const { admin, site } = await aHouse();
    const editor = await site.user({ login: 'ed', roles: ['editor'] });
    const cases = [
      [{ default_recipients: { user_list: [editor.id] } }, 'default_recipients[user_list]-invalid-contacts'],
      [{ default_recipients: { user_list: ['role:editor'] } }, 'default_recipients[user_list]-invalid-contacts'],
      [{ notifications: { digest: { user_list: ['role:zzz'] } } }, 'notifications[user_list]-invalid-contacts'],
      [{ notifications: { digest: { schedule: 'monthly' } } }, 'notifications[schedule]-unknown-schedule'],
      [{ notifications: { 'import-export': { message: '{{ $password }}' } } }, 'notifications[message]-unknown-tags'],
      [
        { notifications: { backup: { email_list: 'a@site.test\nnobody' } } },
        'notifications[email_list]-invalid-emails',
      ],
    ] as const;
    await admin.put('/api/secsuite/v1/modules/backup', { status: { selected: 'active' } });
    for (const [sent, code] of cases) {
      const { status, body } = await admin.patch(set, sent);
      assert.deepEqual([status, body.code], [400, `${prefix}${code}`], JSON.stringify(sent));
    }
    const { body } = await admin.patch(set, {
      notifications: { backup: { email_list: 'a@site.test\r\n\nb@site.test' } },
    });
    assert.deepEqual(body.notifications.backup.email_list, ['a@site.test', 'b@site.test']);
  });

  test('where nobody is named, whoever runs the site is, also under another address', async () => {
    const { site, admin, change, seen, suite, mails } = await aHouse();
    await admin.put('/api/secsuite/v1/modules/backup', { status: { selected: 'active' } });
    const { body } = await admin.patch('/api/secsuite/v1/settings/backup', { method: 'email' });
    assert.equal(body.method, 'email');
    const runs = async (email: string): Promise<void> => {
      await site.set('site', { email });
      await soon(async () => (await seen()).notifications.backup.email_list.join(' '), email);
    };
    await runs('one@site.test');
    assert.equal((await admin.put(set, await seen())).status, 200);
    await runs('two@site.test');
    await suite.center.send('backup', { text: 'Here.' });
    assert.deepEqual(
      (await mails()).map(({ to }) => to),
      ['two@site.test'],
    );
    await change({ backup: { email_list: ['other@site.test'] } });
    assert.deepEqual((await seen()).notifications.backup.email_list, ['other@site.test']);
    await change({ backup: { email_list: '' } });
    assert.deepEqual((await seen()).notifications.backup.email_list, ['two@site.test']);
  });

  test('whoever is no recipient any more is dropped without a word', async () => {
    const { site, admin, seen } = await aHouse();
    const { users } = site.app.services.identity;
    const second = await site.user({ login: 'second', roles: ['administrator'] });
    await admin.patch(set, { default_recipients: { user_list: ['role:administrator', second.id] } });
    await users.change(second, { roles: ['editor'] });
    const { status } = await admin.put(set, await seen());
    assert.equal(status, 200);
    assert.deepEqual((await seen()).default_recipients, { user_list: ['role:administrator'] });
  });
});
