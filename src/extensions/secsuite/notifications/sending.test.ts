// What the notification centre sends over a whole suite: to whom, in which words, and when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aNotifyingSite, centerSettings as set } from '#test/notifying.ts';
import { noon } from '#test/site.ts';
import { lockoutMailsInAnHour } from '../lockouts/lockout-mail.ts';

eachEngine('a notification', (engine) => {
  const aHouse = () => aNotifyingSite(engine);

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
    assert.equal(
      sent.at(-1)?.subject,
      '[Hillside School] Third'.replace('Third', 'An IP address or account was locked out'),
    );
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
      'On <a href="https://evil.test">Friday</a> at 12:00 the security settings of Hillside School (http://site.test) were exported by your request. No action is needed.\n\nBelow.',
    );
  });

  test('what nobody wants and what is not there is not sent', async () => {
    const { suite, mails, change, struck } = await aHouse();
    await change({ lockout: { enabled: false } });
    assert.equal(await suite.center.send('lockout', { text: 'x' }), 0);
    await suite.mailLockout(struck('192.0.2.1'));
    assert.equal(await suite.center.send('two-factor-email', { to: 'a@site.test', text: 'x' }), 0);
    assert.equal(await suite.center.send('zzz', { to: 'a@site.test', text: 'x' }), 0);
    assert.deepEqual(await mails(), []);
  });

  test('a lockout is told in one mail, and of very many only some are', async () => {
    const { site, suite, mails, struck, later } = await aHouse();
    await site.user({ login: 'one', email: 'one@site.test', roles: ['administrator'] });
    for (let at = 1; at <= lockoutMailsInAnHour + 5; at++) await suite.mailLockout(struck(`192.0.2.${at}`));
    const toOne = async () => (await mails()).filter(({ to }) => to === 'one@site.test');
    assert.equal((await toOne()).length, lockoutMailsInAnHour);
    assert.match(
      (await toOne())[0]!.text,
      /The IP address (192\.0\.2\.\d+): locked out until 2026-11-20 13:00 UTC\.\nWhy: too many wrong passwords\n\nNo action .*:\ngatehouse security unblock \1$/,
    );
    await later(hour);
    await suite.mailLockout(struck('192.0.2.99'));
    assert.equal((await toOne()).length, lockoutMailsInAnHour + 1);
  });

  test('a lockout that became a ban is told with what lifts it, of an IPv6 network as well', async () => {
    const { site, suite, mails, struck } = await aHouse();
    await site.user({ login: 'one', email: 'one@site.test', roles: ['administrator'] });
    const account = { ...struck('').lockouts[0]!, host: null, username: 'nobody' };
    for (const [host, lockouts] of [
      ['192.0.2.1', []],
      ['2001:db8::7', [account]],
    ] as const)
      await suite.mailLockout({ ...struck(host), lockouts, banned: 3 });
    const [four, six] = (await mails()).filter(({ to }) => to === 'one@site.test').map(({ text }) => text);
    assert.match(
      four!,
      /^The IP address 192\.0\.2\.1: banned permanently\.\n[\s\S]*:\ngatehouse security unblock 192\.0\.2\.1\s*$/,
    );
    assert.match(six!, /The IP address 2001:db8::\/64: banned permanently\.\n/);
    assert.match(six!, /\ngatehouse security unblock 2001:db8::7 --ranges\ngatehouse security unblock --all\s*$/);
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
    assert.deepEqual([others, digest?.subject], [[], '[Hillside School] Summary of your site']);
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
