import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine, onBothStores } from '#test/databases.ts';
import { ada, aLockedSite, codesOf as codes, type Reply, right, wrong } from '#test/lockouts-alone.ts';

onBothStores('Wrong passwords, counted', (engine) => {
  test('the fifth wrong password from one address is answered 403, and locks out that address alone', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    const mallory = site.from('127.0.0.9');
    assert.deepEqual(await wrong(5, mallory), [200, 200, 200, 200, 403]);
    const answers = [
      await mallory.ask('/'),
      await mallory.ask('/api/core/v2/posts'),
      await mallory.signIn('ada', right),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403],
    );
    assert.match(String(answers[0]!.headers['cache-control']), /no-store/);
    assert.match(String(answers[0]!.headers['x-robots-tag']), /noindex/);
    const { code, data } = answers[1]!.body;
    assert.deepEqual([code, data], ['secsuite_host_locked_out', { status: 403, type: 'host' }]);
    assert.equal((await site.from('127.0.0.10').signIn('ada', right)).status, 302);
    site.time.now += 15 * minute;
    assert.equal((await mallory.ask('/api/core/v2/posts')).status, 200);
  });

  test('wrong passwords count for five minutes, and an empty form is no attempt', async () => {
    const site = await aLockedSite(engine);
    const mallory = site.from('127.0.0.9');
    assert.deepEqual(await wrong(4, mallory), [200, 200, 200, 200]);
    site.time.now += 5 * minute;
    assert.deepEqual(await wrong(4, mallory), [200, 200, 200, 200]);
    for (let time = 0; time < 3; time++) assert.equal((await mallory.signIn('', '')).status, 200);
    assert.deepEqual(await wrong(1, mallory), [403]);
  });

  test('ten wrong passwords for one user from many addresses lock the user’s password, and nothing else', async () => {
    const site = await aLockedSite(engine);
    const user = await ada(site);
    const home = site.from('127.0.0.19');
    const cookie = String((await home.signIn('ada', right)).headers['set-cookie']).split(';')[0]!;
    for (let at = 20; at < 29; at++) assert.deepEqual(await wrong(1, site.from(`127.0.0.${at}`), 'ada'), [200]);
    assert.deepEqual(await wrong(1, site.from('127.0.0.29'), 'ADA@example.org'), [403]);
    const refused = await site.from('127.0.0.30').signIn('ada', right);
    assert.deepEqual([refused.status, refused.headers.location], [403, undefined]);
    assert.match(refused.text, /This account is locked/);
    assert.equal(refused.headers['set-cookie'], undefined);
    const { password } = (await site.app.services.identity.applicationPasswords.add(user, {
      name: 'x',
    } as never)) as never as { password: string };
    assert.equal((await site.from('127.0.0.30').basic('ada', password)).status, 200, 'an application password works');
    const guessed = await site.from('127.0.0.30').basic('ada', 'xxxx xxxx xxxx xxxx xxxx xxxx');
    assert.deepEqual(
      [guessed.status, guessed.body.code, guessed.body.data],
      [403, 'secsuite_user_locked_out', { status: 403, type: 'user' }],
    );
    assert.match(String(guessed.headers['cache-control']), /no-store/);
    await home.ask('/login', { method: 'POST', headers: { cookie }, body: 'log=ada&pwd=x' });
    assert.equal((await home.ask('/account', { headers: { cookie } })).status, 200, 'a session stands');
    await wrong(5, site.from('127.0.0.31'));
    assert.equal((await site.from('127.0.0.31').basic('ada', password)).status, 403, 'its own address is locked out');
    assert.equal((await site.from('127.0.0.30').ask('/api/core/v2/posts')).status, 200);
  });

  test('the third lockout within seven days bans the address, with no third row', async () => {
    const site = await aLockedSite(engine);
    const mallory = site.from('127.0.0.9');
    await wrong(5, mallory);
    await site.alone.lockouts.release((await site.alone.lockouts.list({ limit: 1, offset: 0 })).items[0]!.id);
    assert.deepEqual(await wrong(5, mallory), [200, 200, 200, 200, 403], 'at once, and yet it counts');
    site.time.now += 16 * minute;
    assert.deepEqual(await wrong(5, mallory), [200, 200, 200, 200, 403]);
    const [ban] = await site.alone.bans.newest(10);
    assert.deepEqual(
      [ban?.host, ban?.actor_type, ban?.actor_id, ban?.comment],
      ['127.0.0.9', 'lockout_module', 'brute_force', ''],
    );
    assert.equal((await site.alone.lockouts.list({ limit: 1, offset: 0 })).total, 0);
    const refused = await mallory.ask('/api/core/v2/posts');
    assert.deepEqual([refused.status, refused.body.data.type], [403, 'ban']);
    assert.deepEqual(
      (await codes(site)).filter((code) => code.startsWith('action')),
      [...Array(2).fill('action host-lockout::127.0.0.9'), 'action host-triggered-blacklist'],
    );
    const { news } = site.alone.told;
    assert.deepEqual(
      news.map(({ subject, until }) => [subject, until === undefined]),
      [
        ['127.0.0.9', false],
        ['127.0.0.9', false],
        ['127.0.0.9', true],
      ],
    );
  });

  test('a burst makes one lockout', async () => {
    const site = await aLockedSite(engine);
    const mallory = site.from('127.0.0.9');
    const many = await Promise.all(Array.from({ length: 12 }, (_, at) => mallory.basic(`name${at}`, 'x')));
    assert.ok(many.filter(({ status }) => status === 401).length <= 4);
    assert.equal((await site.alone.lockouts.since(new Date(0))).hosts, 1);
  });

  test('limits of 0 lock nobody out, each by itself', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    await site.alone.settings.keep('brute-force', { max_attempts_host: 0, max_attempts_user: 3 });
    assert.deepEqual(await wrong(3, site.from('127.0.0.9'), 'ada'), [200, 200, 403]);
    const { items } = await site.alone.lockouts.list({ limit: 9, offset: 0 });
    assert.deepEqual(
      items.map(({ host, user_id }) => [host, typeof user_id]),
      [[null, 'number']],
    );
  });

  test('other modules strike as well, and each reason counts for itself', async () => {
    const { alone } = await aLockedSite(engine);
    const strike = (type: string) => alone.lockouts.strike({ type, address: '203.0.113.5' });
    for (let time = 0; time < 9; time++) assert.equal(await strike('firewall'), undefined);
    for (let time = 0; time < 4; time++) assert.equal(await strike('brute_force'), undefined);
    assert.equal(await strike('recaptcha'), undefined, 'its module does not run');
    const refusal = await alone.defence.struck('firewall', '203.0.113.5');
    assert.deepEqual([refusal?.problem.code, refusal?.endsSession], ['secsuite_host_locked_out', true]);
  });
});

eachEngine('Wrong passwords', (engine) => {
  test('a name nobody has is locked as well, whatever its capitals', async () => {
    const site = await aLockedSite(engine);
    for (let at = 20; at < 29; at++) await wrong(1, site.from(`127.0.0.${at}`), at % 2 ? 'Nobody' : 'nobody');
    const last = await site.from('127.0.0.29').basic('NOBODY', 'x');
    assert.deepEqual([last.status, last.body.data.type], [403, 'username']);
    assert.deepEqual((await codes(site)).slice(-2), [
      'notice invalid-login::username-NOBODY',
      'action username-lockout::nobody',
    ]);
  });

  test('a wrong application password counts as well', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    const mallory = site.from('127.0.0.9');
    const answers: Reply[] = [];
    for (let time = 0; time < 5; time++) answers.push(await mallory.basic('ada', 'wrong'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401, 403],
    );
    assert.equal(answers[4]!.body.code, 'secsuite_host_locked_out');
  });

  test('without bans, the third lockout is one more', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { blacklist: false });
    for (let time = 0; time < 3; time++) {
      await wrong(5, site.from('127.0.0.9'));
      site.time.now += 16 * minute;
    }
    assert.equal(await site.alone.bans.count(), 0);
    assert.equal((await site.alone.lockouts.since(new Date(0))).hosts, 3);
  });

  test('whoever tries "admin" is locked out at once, where that is set', async () => {
    const site = await aLockedSite(engine);
    assert.deepEqual(await wrong(1, site.from('127.0.0.9'), 'admin'), [200]);
    await site.alone.settings.keep('brute-force', { auto_ban_admin: true });
    assert.deepEqual(await wrong(1, site.from('127.0.0.10'), 'Admin'), [200]);
    assert.deepEqual(await wrong(1, site.from('127.0.0.10'), 'admin'), [403]);
    const { items } = await site.alone.lockouts.list({ limit: 9, offset: 0 });
    assert.deepEqual(
      items.map(({ type }) => type),
      Array(2).fill('brute_force_admin_user'),
    );
    assert.ok((await codes(site)).includes('notice auto-ban-admin-username'));
  });

  test('a manager’s address is not locked for a day after their last visit, and is written down', async () => {
    const site = await aLockedSite(engine);
    const ours = site.from('127.0.0.9');
    const headers = await site.credentials('administrator');
    assert.equal((await ours.ask('/api/core/v2/users/me', { headers })).status, 200);
    site.time.now += 24 * 60 * minute - 1;
    assert.deepEqual(await wrong(6, ours), [200, 200, 200, 200, 200, 200]);
    assert.ok((await codes(site)).includes('notice whitelisted-host-triggered-host-lockout'));
    const { expire, active } = (await site.alone.lockouts.get(1))!;
    assert.deepEqual([expire, active], ['1970-01-01T00:00:00.000Z', 1]);
    site.time.now += 1;
    assert.deepEqual((await wrong(6, ours)).slice(-2), [403, 403]);
    assert.deepEqual(site.alone.told.news.length, 1);
  });

  test('addresses on the list are never locked, and their owners learn nothing', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_white_list: ['127.0.0.8/31'] });
    assert.deepEqual(new Set(await wrong(7, site.from('127.0.0.9'))), new Set([200]));
    assert.equal(site.alone.told.news.length, 0);
    await site.alone.bans.addMany(['127.0.0.10'], { type: 'user', id: '1' }, { self: '' });
    assert.equal((await site.from('127.0.0.10').ask('/')).status, 403);
  });

  test('nothing is enforced while it is not chosen how addresses are found', async () => {
    const site = await aLockedSite(engine);
    await wrong(5, site.from('127.0.0.9'));
    await site.alone.bans.addMany(['127.0.0.10'], { type: 'user', id: '1' }, { self: '' });
    await site.alone.settings.keep('global', { proxy: 'automatic' });
    assert.equal((await site.from('127.0.0.9').ask('/')).status, 200);
    assert.equal((await site.from('127.0.0.10').ask('/')).status, 200);
    assert.equal(await site.alone.lockouts.strike({ type: 'firewall', address: '127.0.0.11' }), undefined);
    assert.deepEqual(new Set(await wrong(7, site.from('127.0.0.12'))), new Set([200]));
  });

  test('the words of managers are shown, without what may not stand there', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_message: '<b>Go</b> away<script>alert(1)</script> &amp; rest' });
    const mallory = site.from('127.0.0.9');
    await wrong(5, mallory);
    const page = await mallory.ask('/', { headers: { accept: 'text/html' } });
    assert.ok(page.text.includes('<b>Go</b> away') && !page.text.includes('<script'));
    assert.match((await mallory.ask('/api/core/v2/posts')).body.message, /^Go away.* & rest$/);
    await site.alone.settings.keep('global', { lockout_message: ' <b> </b>' });
    assert.match((await mallory.ask('/')).text, /IP address is locked out/);
  });

  test('an authorised address comes in with the right password, though the account is locked', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    for (let at = 20; at < 30; at++) await wrong(1, site.from(`127.0.0.${at}`), 'ada');
    assert.equal((await site.from('127.0.0.40').signIn('ada', right)).status, 403);
    await site.alone.settings.keep('global', { lockout_white_list: ['127.0.0.40'] });
    assert.equal((await site.from('127.0.0.40').signIn('ada', right)).status, 302);
  });

  test('a session ends where somebody is locked out', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    const mallory = site.from('127.0.0.9');
    const cookie = String((await mallory.signIn('ada', right)).headers['set-cookie']).split(';')[0]!;
    assert.equal((await site.from('127.0.0.10').ask('/account', { headers: { cookie } })).status, 200);
    await wrong(5, mallory);
    const refused = await mallory.ask('/account', { headers: { cookie } });
    assert.match(String(refused.headers['set-cookie']), /site_session=;.*Max-Age=0/);
    assert.notEqual((await site.from('127.0.0.10').ask('/account', { headers: { cookie } })).status, 200);
  });
});
