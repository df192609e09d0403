// The notification centre over HTTP, and the mails it sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';
import { lockoutMailsInAnHour } from './lockout-mail.ts';

const listed = '/api/secsuite/rpc/notification-center/notifications';
const contacts = '/api/secsuite/rpc/notification-center/available-users-roles';
const set = '/api/secsuite/v1/settings/notification-center';
const prefix = 'secsuite-validator-notification-center-invalid-type-';

eachEngine('the notification centre', (engine) => {
  const aHouse = async () => {
    let now = noon.getTime();
    const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
    const admin = site.as('administrator');
    await site.app.services.jobs.settled(); // the schedules begin now
    const change = async (notifications: object) => (await admin.patch(set, { notifications })).body;
    const seen = async () => (await admin.get(set)).body;
    const mails = () => mailsOf(site);
    const later = async (milliseconds: number) => {
      now += milliseconds;
      await site.app.services.jobs.settled();
    };
    const struck = (host: string) => ({
      lockouts: [
        {
          ...{ id: 1, type: 'brute_force', start: noon.toISOString(), expire: new Date(now + hour).toISOString() },
          ...{ host, user_id: null, username: null, context: '', active: 1 },
        } as never,
      ],
      ...{ banned: undefined, strike: { type: 'brute_force', address: host } },
      reason: { type: 'brute_force', label: '', reason: 'too many wrong passwords', host: 5, user: 5, period: 5 },
    });
    return { site, admin, suite, change, seen, mails, later, struck };
  };

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
      ...{ recipient: 'user-list', schedule: { min: 'daily', max: 'weekly', default: 'daily', setting_only: false } },
      ...{ subject_editable: true, message_editable: false, optional: { default: true }, tags: [] },
      ...{ module: '', slug: 'digest' },
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
      ...{ schedule: 'daily', subject: 'What happened on your site', enabled: true },
      ...{ user_list: ['role:administrator'], recipient_type: 'default' },
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
      ...suite.settings.of<object>('hide-backend'),
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
      await withinASecond(async () => (await seen()).notifications.backup.email_list.join(' '), email);
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

  test('a mail goes to whoever is set, once to each, with its placeholders filled in', async () => {
    const { site, admin, suite, mails, change } = await aHouse();
    const one = await site.user({ login: 'one', email: 'one@site.test', roles: ['administrator'] });
    await site.user({ login: 'two', email: 'two@site.test', roles: ['administrator'] });
    await change({ lockout: { subject: 'Look at {{ $site_title }}' } });
    await admin.patch(set, { from_email: 'guard@site.test' });
    await suite.center.send('lockout', { text: 'First' });
    await change({ lockout: { recipient_type: 'custom', user_list: [one.id, 'role:administrator', one.id] } });
    await suite.center.send('lockout', { text: 'Second' });
    await change({ lockout: { recipient_type: 'custom', user_list: [one.id] } });
    await suite.center.send('lockout', { text: 'Third' });
    const sent = await mails();
    const to = (text: string) => sent.filter((mail) => mail.text === text).map((mail) => mail.to);
    assert.deepEqual(to('Third'), ['one@site.test']);
    for (const text of ['First', 'Second'])
      assert.deepEqual(
        to(text)
          .filter((address) => /one|two/.test(address))
          .sort(),
        ['one@site.test', 'two@site.test'],
      );
    assert.equal(sent.at(-1)?.subject, '[Hillside School] Third'.replace('Third', 'Somebody was locked out'));
    assert.match(sent[0]!.from, /guard@site\.test/);
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?code[]=send%25');
    assert.equal(body.length, 3);
  });

  test('a text is read as plain text, and nothing that stands in a placeholder becomes a link', async () => {
    const { suite, mails } = await aHouse();
    const tags = { date: '<a href="https://evil.test">Friday</a>', time: '12:00' };
    await suite.center.send('import-export', { to: ['a@site.test', 'a@site.test'], tags, text: 'Below.' });
    const [mail, ...others] = await mails();
    assert.deepEqual([mail?.to, others], ['a@site.test', []]);
    assert.equal(
      mail?.text,
      'On <a href="https://evil.test">Friday</a> at 12:00 the security settings of Hillside School (http://site.test) were exported as you asked.\n\nBelow.',
    );
  });

  test('what nobody wants and what is not there is not sent', async () => {
    const { suite, mails, change, struck } = await aHouse();
    await change({ lockout: { enabled: false } });
    assert.equal(await suite.center.send('lockout', { text: 'x' }), 0);
    await suite.center.lockedOut(struck('192.0.2.1'));
    assert.equal(await suite.center.send('two-factor-email', { to: 'a@site.test', text: 'x' }), 0);
    assert.equal(await suite.center.send('zzz', { to: 'a@site.test', text: 'x' }), 0);
    assert.deepEqual(await mails(), []);
  });

  test('a lockout is told in one mail, and of very many only some are', async () => {
    const { site, suite, mails, struck, later } = await aHouse();
    await site.user({ login: 'one', email: 'one@site.test', roles: ['administrator'] });
    for (let at = 1; at <= lockoutMailsInAnHour + 5; at++) await suite.center.lockedOut(struck(`192.0.2.${at}`));
    const toOne = async () => (await mails()).filter(({ to }) => to === 'one@site.test');
    assert.equal((await toOne()).length, lockoutMailsInAnHour);
    assert.match(
      (await toOne())[0]!.text,
      /The address (192\.0\.2\.\d+): until 2026-11-20 13:00 UTC\.\nWhy: too many wrong passwords\n\nThere .*:\ngatehouse secsuite release \1$/,
    );
    await later(hour);
    await suite.center.lockedOut(struck('192.0.2.99'));
    assert.equal((await toOne()).length, lockoutMailsInAnHour + 1);
  });

  test('the summary comes every day or week while there is something to say', async () => {
    const { site, admin, suite, mails, later, change, seen } = await aHouse();
    await site.user({ login: 'one', email: 'one@site.test', roles: ['administrator'] });
    const toOne = async () => (await mails()).filter(({ to }) => to === 'one@site.test');
    await later(2 * hour);
    assert.deepEqual(await toOne(), []);
    assert.equal((await seen()).last_sent.digest, noon.getTime() / 1_000 + 2 * 3_600);
    await suite.center.queue('digest', 'Something that could wait.');
    await later(day - hour);
    assert.deepEqual(await toOne(), []);
    await later(hour);
    const [digest, ...others] = await toOne();
    assert.deepEqual([others, digest?.subject], [[], '[Hillside School] What happened on your site']);
    assert.match(digest!.text, /^Since 2026-11-20 14:00 UTC:\n.*Something that could wait\.$/s);
    assert.deepEqual((await seen()).data, {});
    await change({ digest: { schedule: 'weekly' } });
    await suite.center.queue('digest', 'More.');
    await later(6 * day);
    assert.equal((await toOne()).length, 1);
    await later(day);
    assert.equal((await toOne()).length, 2);
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?code[]=send_scheduled');
    assert.deepEqual(
      body.map(({ type, data }: { type: { raw: string }; data: unknown }) => [type.raw, data]),
      Array(2).fill(['debug', { sent: ['digest'] }]),
    );
  });

  test('what could not be sent stays, is written down and is tried again after six hours', async () => {
    const { site, admin, suite, later, seen } = await aHouse();
    let tried = 0;
    suite.center.writes('digest', async () => {
      tried += 1;
      throw new Error('No.');
    });
    await suite.center.queue('digest', 'Waits.');
    await later(2 * hour);
    await later(5 * hour);
    assert.equal(tried, 1);
    assert.equal((await seen()).data.digest.messages[0], 'Waits.');
    await later(hour);
    assert.equal(tried, 2);
    site.log.lines.splice(0);
    await suite.center.undelivered('secsuite lockout', new Error('The server said no.'));
    await suite.center.undelivered('of somebody else', new Error('Not ours.'));
    assert.equal((await seen()).last_mail_error, 'The server said no.');
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?code[]=send_failed%25');
    assert.equal(body.length, 1);
  });
});
