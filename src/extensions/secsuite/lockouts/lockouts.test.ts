import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aLockedSite, type Locked, type Reply, type Visitor } from '#test/lockouts-alone.ts';

const lockouts = '/api/secsuite/v1/lockouts';

let names = 0;

/** As somebody whom nobody knows, another one each time. */
const wrong = async (times: number, visitor: Visitor, login?: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++)
    statuses.push((await visitor.signIn(login ?? `somebody${++names}`, `wrong ${time}`)).status);
  return statuses;
};

const ada = (site: Locked) =>
  site.user({ login: 'ada', email: 'ada@example.org', name: 'Ada L.', roles: ['editor'], password: right });
const right = 'the right password of ada';
const codes = async (site: Locked): Promise<string[]> => {
  await site.alone.logs.flush();
  const { items } = await site.alone.logs.list({ limit: 100, offset: 0, order: 'asc', orderBy: 'id' });
  return items.map(({ type, code }) => `${type} ${code}`);
};

eachEngine('Lockouts', (engine) => {
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

  test('ten wrong passwords for one user from many addresses lock the user, the right password included', async () => {
    const site = await aLockedSite(engine);
    const user = await ada(site);
    for (let at = 20; at < 29; at++) assert.deepEqual(await wrong(1, site.from(`127.0.0.${at}`), 'ada'), [200]);
    assert.deepEqual(await wrong(1, site.from('127.0.0.29'), 'ADA@example.org'), [403]);
    const refused = await site.from('127.0.0.30').signIn('ada', right);
    assert.deepEqual([refused.status, refused.headers.location], [403, undefined]);
    assert.match(refused.text, /This account is locked/);
    assert.match(String(refused.headers['set-cookie']), /site_session=;/);
    const { password } = (await site.app.services.identity.applicationPasswords.add(user, {
      name: 'x',
    } as never)) as never as { password: string };
    const byProgram = await site.from('127.0.0.30').basic('ada', password);
    assert.deepEqual(
      [byProgram.status, byProgram.body.code, byProgram.body.data],
      [403, 'secsuite_user_locked_out', { status: 403, type: 'user' }],
    );
    assert.match(String(byProgram.headers['cache-control']), /no-store/);
    assert.equal((await site.from('127.0.0.30').ask('/api/core/v2/posts')).status, 200);
  });

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

  test('a burst makes one lockout', async () => {
    const site = await aLockedSite(engine);
    const mallory = site.from('127.0.0.9');
    const many = await Promise.all(Array.from({ length: 12 }, (_, at) => mallory.basic(`name${at}`, 'x')));
    assert.ok(many.filter(({ status }) => status === 401).length <= 4);
    assert.equal((await site.alone.lockouts.since(new Date(0))).hosts, 1);
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

  test('other modules strike as well, and each reason counts for itself', async () => {
    const { alone } = await aLockedSite(engine);
    const strike = (type: string) => alone.lockouts.strike({ type, address: '203.0.113.5' });
    for (let time = 0; time < 9; time++) assert.equal(await strike('firewall'), undefined);
    for (let time = 0; time < 4; time++) assert.equal(await strike('brute_force'), undefined);
    assert.equal(await strike('recaptcha'), undefined, 'its module does not run');
    const refusal = await alone.defence.struck('firewall', '203.0.113.5');
    assert.deepEqual([refusal?.problem.code, refusal?.endsSession], ['secsuite_host_locked_out', true]);
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
    assert.match((await mallory.ask('/')).text, /locked out for now/);
  });

  test('whoever holds the machine lets in again whom they like', async () => {
    const site = await aLockedSite(engine);
    for (const address of ['127.0.0.9', '127.0.0.10', '127.0.0.11']) await wrong(5, site.from(address));
    assert.equal(await site.alone.lockouts.releaseAddress('127.0.0.9'), 1);
    assert.equal((await site.from('127.0.0.9').ask('/')).status, 200);
    await site.alone.client.authorised.authorise('127.0.0.10', new Date(site.time.now + minute));
    assert.equal((await site.from('127.0.0.10').ask('/')).status, 200);
    assert.equal((await site.from('127.0.0.11').ask('/')).status, 403);
    assert.equal(await site.alone.lockouts.releaseAll(), 2);
    assert.equal((await site.from('127.0.0.11').ask('/')).status, 200);
    site.time.now += minute;
    assert.equal((await site.from('127.0.0.10').ask('/')).status, 200);
  });

  test('lockouts are released, banned and told by the interface', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    await wrong(5, site.from('127.0.0.9'));
    const admin = site.as('administrator');
    const { body, headers } = await admin.get(lockouts);
    assert.deepEqual([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['1', '1']);
    const { _links, context, ...record } = body[0];
    assert.deepEqual(record, {
      ...{ id: 1, type: 'brute_force', host: '127.0.0.9', user: null, username: null, active: true },
      ...{ start: '2026-11-20T12:00:00+00:00', start_gmt: '2026-11-20T12:00:00+00:00' },
      ...{ expire: '2026-11-20T12:15:00+00:00', expire_gmt: '2026-11-20T12:15:00+00:00' },
      ...{ start_relative: '1 second', start_gmt_relative: '1 second' },
      ...{ expire_relative: '15 minutes', expire_gmt_relative: '15 minutes' },
      ...{ label: '127.0.0.9', bannable: true, description: 'Too many wrong passwords' },
    });
    assert.equal(JSON.parse(context).lockout_module, 'brute_force');
    assert.equal(_links['secsuite:release'][0].href, `http://site.test${lockouts}/1/release-lockout`);
    assert.equal(_links['secsuite:ban'][0].href, `http://site.test${lockouts}/1/ban-lockout`);
    assert.equal(_links.curies[0].name, 'secsuite');

    const edited = await admin.get(`${lockouts}/1?context=edit`);
    assert.deepEqual(
      [edited.body.detail.log.remote_ip === '127.0.0.9', edited.body.detail.log.data.lockout_host],
      [true, '127.0.0.9'],
    );
    assert.equal((await admin.get(`${lockouts}/1`)).body.detail, undefined);
    assert.equal((await admin.get(`${lockouts}?context=edit`)).body[0].detail.log.data.module, 'brute_force');

    const released = await admin.post(`${lockouts}/1/release-lockout`);
    assert.deepEqual([released.status, released.body.active], [200, false]);
    assert.equal((await admin.post(`${lockouts}/1/release-lockout`)).status, 200);
    assert.equal((await site.from('127.0.0.9').ask('/')).status, 200);
    assert.deepEqual((await admin.get(lockouts)).body, []);
    assert.equal((await admin.get(`${lockouts}/1`)).status, 200);

    const banned = await admin.post(`${lockouts}/1/ban-lockout`);
    const { label, comment, created_by } = banned.body;
    assert.deepEqual(
      [banned.status, label, comment, created_by.type],
      [200, '127.0.0.9', 'Too many wrong passwords', 'user'],
    );
    const again = await admin.post(`${lockouts}/1/ban-lockout`);
    assert.deepEqual([again.status, again.body.code], [409, 'secsuite_duplicate_ban']);
    assert.equal((await admin.get(`${lockouts}/1`)).body.bannable, false);
    for (const path of [`${lockouts}/77`, `${lockouts}/99999999999999999999`])
      assert.deepEqual((await admin.get(path)).body.code, 'rest_not_found');
    assert.equal((await site.get(lockouts)).status, 401);
    assert.equal((await site.as('editor').post(`${lockouts}/1/release-lockout`)).status, 403);
  });

  test('a lockout of an account cannot be banned, nor any while bans are off', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    await site.alone.settings.keep('brute-force', { max_attempts_user: 2, max_attempts_host: 3 });
    await wrong(2, site.from('127.0.0.9'), 'ada');
    const admin = site.as('administrator');
    const refused = await admin.post(`${lockouts}/1/ban-lockout`);
    assert.deepEqual([refused.status, refused.body.code], [403, 'rest_action_forbidden']);
    assert.equal((await admin.get(`${lockouts}/1`)).body.label, 'Ada L.');
    for (let time = 0; time < 3; time++) await wrong(1, site.from('127.0.0.10'), `name${time}`);
    await site.alone.switches.set('ban-users', false, { caller: { id: 0, can: () => true } });
    const off = await admin.post(`${lockouts}/2/ban-lockout`);
    assert.deepEqual([off.status, off.body.code], [403, 'rest_action_forbidden']);
    assert.equal((await admin.get(`${lockouts}/2`)).body._links['secsuite:ban'], undefined);
  });

  test('what led to a lockout is told with it, by address or by account', async () => {
    const site = await aLockedSite(engine);
    const user = await ada(site);
    await site.alone.settings.keep('brute-force', { max_attempts_user: 7 });
    await wrong(5, site.from('127.0.0.9'), 'ada');
    site.time.now += 2 * minute;
    await wrong(2, site.from('127.0.0.10'), 'ada');
    const detailOf = async (id: number) =>
      (await site.as('administrator').get(`${lockouts}/${id}?context=edit`)).body.detail;
    const [ofHost, ofUser] = [await detailOf(1), await detailOf(2)];
    assert.deepEqual([ofHost.history.length, ofUser.history.length], [5, 7]);
    const { id, data, ...first } = ofUser.history[0];
    const [time, url, address] = ['2026-11-20T12:02:00+00:00', 'http://site.test/login', '127.0.0.10'];
    assert.deepEqual(first, { time, time_relative: '1 second', url, remote_ip: address, label: address });
    assert.deepEqual([typeof id, data.user_id, data.username], ['number', user.id, 'ada']);
    assert.equal(ofHost.history[0].label, 'ada');
    assert.ok(!JSON.stringify(ofUser).includes('wrong 1'), 'no password is written down');
    assert.deepEqual([ofUser.log.data.user_id, ofUser.log.data.module_details.user], [user.id, 7]);
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

  test('they are found by address, by name, and by what users are called', async () => {
    const site = await aLockedSite(engine);
    await ada(site);
    await site.alone.settings.keep('brute-force', { max_attempts_user: 1, max_attempts_host: 1 });
    await wrong(1, site.from('127.0.0.9'), 'ada');
    site.time.now += 1000;
    await wrong(1, site.from('127.0.0.10'), 'Nobody');
    const found = async (search: string): Promise<string[]> => {
      const { body } = await site.as('administrator').get(`${lockouts}?search=${encodeURIComponent(search)}`);
      return body.map(({ label }: { label: string }) => label).sort();
    };
    assert.deepEqual(await found('0.0.9'), ['127.0.0.9']);
    assert.deepEqual(await found('NOBO'), ['nobody']);
    assert.deepEqual(await found('ada@EXAMPLE'), ['Ada L.']);
    assert.deepEqual(await found('a L'), ['Ada L.']);
    assert.deepEqual(await found('_'), []);
    const { body, headers } = await site.as('administrator').get(`${lockouts}?per_page=1&page=2`);
    assert.deepEqual([body.length, headers.get('x-wp-total')], [1, '4']);
  });
});
