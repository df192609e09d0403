import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { ada, aLockedSite, wrong } from '#test/lockouts-alone.ts';
import { insert } from './rows.ts';
import type { LockoutTables } from './tables.ts';

const lockouts = '/api/secsuite/v1/lockouts';

eachEngine('Lockouts', (engine) => {
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
      id: 1,
      type: 'brute_force',
      host: '127.0.0.9',
      user: null,
      username: null,
      active: true,
      start: '2026-11-20T12:00:00+00:00',
      start_gmt: '2026-11-20T12:00:00+00:00',
      expire: '2026-11-20T12:15:00+00:00',
      expire_gmt: '2026-11-20T12:15:00+00:00',
      start_relative: '1 second',
      start_gmt_relative: '1 second',
      expire_relative: '15 minutes',
      expire_gmt_relative: '15 minutes',
      label: '127.0.0.9',
      bannable: true,
      description: 'Too many wrong passwords',
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
    for (let at = 20; at < 27; at++) await wrong(1, site.from(`127.0.0.${at}`), 'Nobody');
    assert.equal((await detailOf(3)).history.length, 7, 'also of a name with capitals');
  });

  test('of two that meet the same address each keeps it out until it ends or is released itself', async () => {
    const site = await aLockedSite(engine);
    const { store } = site.app.services;
    const lasting = (minutes: number) =>
      (store as unknown as Store<LockoutTables>).write((tx, during) => {
        const expire = instant(new Date(site.time.now + minutes * minute));
        const lockout = { type: 'firewall', start: instant(new Date(site.time.now)), expire, context: '{}' };
        return insert(tx, during, { kind: 'host', host: '127.0.0.9' }, lockout);
      });
    const [long, short, middle] = [await lasting(30), await lasting(10), await lasting(20)];
    await site.alone.defence.enforced.refresh();
    const isOut = () => site.alone.defence.enforced.host('127.0.0.9');
    assert.equal(isOut(), true);
    await site.alone.lockouts.release(long.id);
    assert.equal(isOut(), true);
    site.time.now += 15 * minute;
    await site.alone.lockouts.release(short.id);
    assert.equal(isOut(), true);
    await site.alone.lockouts.release(middle.id);
    assert.equal(isOut(), false);
    assert.equal(site.alone.defence.enforced.size, 0);
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
