import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSwitchboard, behalf, codesOf, one, two } from '#test/switchboard.ts';
import type { Behalf } from '../base.ts';
import { guardGlobal } from './global.ts';

eachEngine('the settings all modules share', (engine) => {
  const guarded = async () => {
    const suite = await aSwitchboard(engine);
    guardGlobal(suite.settings, (groups, { id }) => groups.length === 0 || (groups.includes(one) && id === 7));
    return suite;
  };

  test('nobody takes the suite out of their own hands', async () => {
    const { settings } = await guarded();
    assert.deepEqual(await codesOf(settings.overlay('global', { manage_group: [two] }, behalf)), [
      'secsuite-validator-global-cannot-exclude-self',
    ]);
    assert.deepEqual((await settings.overlay('global', { manage_group: [one, two] }, behalf)).manage_group, [one, two]);
    const other: Behalf = { caller: { id: 2, can: () => true } };
    assert.equal((await settings.overlay('global', { lockout_period: 1 }, other)).lockout_period, 1);
  });

  test('trusted addresses are addresses, each written in one way and once', async () => {
    const { settings } = await guarded();
    const list = ['10.1.2.*', ' 10.1.2.0/24', '2001:DB8::0001', '192.0.2.7'];
    const { lockout_white_list } = await settings.overlay('global', { lockout_white_list: list }, behalf);
    assert.deepEqual(lockout_white_list, ['10.1.2.0/24', '2001:db8::1', '192.0.2.7']);
    const wrong = settings.overlay('global', { lockout_white_list: ['here', '192.0.2.8'] }, behalf);
    await assert.rejects(wrong, {
      code: 'secsuite-validator-global-invalid-type-lockout_white_list-ip',
      message: /here/,
    });
  });

  test('the header of a proxy may be named as it is sent, and is kept as settings spell it', async () => {
    const { settings } = await guarded();
    const named = async (proxy_header: unknown) =>
      (await settings.overlay('global', { proxy: 'manual', proxy_header }, behalf)).proxy_header;
    for (const text of ['X-Real-IP', 'x-real-ip', 'HTTP_X_REAL_IP']) assert.equal(await named(text), 'HTTP_X_REAL_IP');
    assert.equal(await named('CF-Connecting-IP'), 'HTTP_CF_CONNECTING_IP');
    for (const text of ['Cookie', 'constructor', 'X_REAL_IP', ['X-Real-IP']])
      await assert.rejects(named(text), ({ code }: { code: string }) => /^rest_(not_in_enum|invalid_type)$/.test(code));
  });

  test('messages hold no more HTML than texts of people may', async () => {
    const { settings } = await guarded();
    const sent = { lockout_message: '<p onclick="x()">Hello <script>x()</script></p>' };
    const { lockout_message } = await settings.overlay('global', sent, behalf);
    assert.doesNotMatch(String(lockout_message), /onclick|<script/);
    assert.match(String(lockout_message), /<p>Hello/);
  });
});
