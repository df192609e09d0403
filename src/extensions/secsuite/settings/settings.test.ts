import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { eachEngine } from '#test/databases.ts';
import { aSwitchboard, behalf, codesOf, matching, one, two } from '#test/switchboard.ts';
import { mask } from './stored.ts';

const lost = '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009';
const bruteForce = { auto_ban_admin: true, max_attempts_host: 6, max_attempts_user: 11, check_period: 7 };

eachEngine('settings of modules', (engine) => {
  test('are as usual until somebody sets them, and again once they are reset', async () => {
    const { settings } = await aSwitchboard(engine);
    const usual = { auto_ban_admin: false, max_attempts_host: 5, max_attempts_user: 10, check_period: 5 };
    assert.deepEqual(settings.of('brute-force'), usual);
    assert.deepEqual(await settings.replace('brute-force', bruteForce, behalf), bruteForce);
    assert.deepEqual(settings.of('brute-force'), bruteForce);
    assert.deepEqual(await settings.reset('brute-force', behalf), usual);
    assert.deepEqual(settings.of('brute-force'), usual);
  });

  test('read as their schemas say: another module, name or type does not compile', async () => {
    const { settings } = await aSwitchboard(engine);
    const period: number = settings.of('brute-force').check_period;
    assert.equal(period, 5);
    // @ts-expect-error: there is no such setting.
    assert.equal(settings.of('brute-force').check_perod, undefined);
    // @ts-expect-error: there is no such module.
    assert.throws(() => settings.of('brute-farce'));
    // @ts-expect-error: it is a number.
    await assert.rejects(async () => settings.keep('brute-force', { check_period: 'x' }));
  });

  test('are replaced as a whole: what is missing and what is unknown is said, and nothing saved', async () => {
    const { settings } = await aSwitchboard(engine);
    const before = settings.of('brute-force');
    const { check_period: _, ...without } = bruteForce;
    const sent = settings.replace('brute-force', { ...without, zzz: 1, max_attempts_host: 'many' }, behalf);
    assert.deepEqual(await codesOf(sent), [
      matching('brute-force', 'missing', 'check_period'),
      matching('brute-force', 'unknown', 'zzz'),
      'rest_invalid_type',
    ]);
    assert.equal(settings.of('brute-force'), before);
  });

  test('may be changed one by one', async () => {
    const { settings } = await aSwitchboard(engine);
    await settings.replace('brute-force', bruteForce, behalf);
    assert.deepEqual(await settings.overlay('brute-force', { check_period: '9' }, behalf), {
      ...bruteForce,
      check_period: 9,
    });
    const gone = settings.overlay('brute-force', JSON.parse('{"__proto__":1,"zzz":{}}'), behalf);
    assert.deepEqual(await codesOf(gone), [
      matching('brute-force', 'unknown', '__proto__'),
      matching('brute-force', 'unknown', 'zzz'),
    ]);
  });

  test('of a kind that does not fit are refused with what is wrong of it', async () => {
    const { settings } = await aSwitchboard(engine);
    const cases = [
      ['global', { log_rotation: 'many' }, 'rest_invalid_type'],
      ['global', { log_rotation: -1 }, 'rest_out_of_bounds'],
      ['global', { log_type: 'zzz' }, 'rest_not_in_enum'],
      ['global', { log_location: 'logs' }, 'secsuite-validator-global-invalid-type-log_location-directory'],
      ['global', { log_location: '/srv/../etc' }, 'secsuite-validator-global-invalid-type-log_location-directory'],
      ['global', { nginx_file: '/srv/a\0b' }, 'secsuite-validator-global-invalid-type-nginx_file-file-path'],
      ['ban-users', { agent_list: ['a', 'a'] }, 'rest_duplicate_items'],
      ['network-brute-force', { email: 'nobody' }, 'rest_invalid_email'],
      [
        'file-change',
        { file_list: ['/etc'] },
        'secsuite-validator-file-change-invalid-type-file_list-relative-file-path',
      ],
      ['hide-backend', { enabled: true, slug: 'login' }, 'rest_invalid_pattern'],
    ] as const;
    for (const [id, sent, code] of cases)
      assert.deepEqual(await codesOf(settings.overlay(id, sent, behalf)), [code], JSON.stringify(sent));
    const refused = await settings.overlay('global', { log_rotation: 'x' }, behalf).catch((error) => error);
    assert.deepEqual(
      [refused.details, refused.also],
      [{ param: 'Days in the database' }, [{ param: 'Days in the database' }]],
    );
  });

  test('that mean nothing just now may be left out, and keep their value', async () => {
    const { settings } = await aSwitchboard(engine);
    await settings.overlay('ban-users', { server_config_limit: 7 }, behalf);
    const off = await settings.replace('ban-users', { default: false, enable_ban_lists: false }, behalf);
    assert.equal(off.server_config_limit, 7);
    const unclear = settings.replace('ban-users', { default: true }, behalf);
    assert.deepEqual(
      await codesOf(unclear),
      ['enable_ban_lists', 'server_config_limit', 'agent_list'].map((name) => matching('ban-users', 'missing', name)),
    );
  });

  test('without a place in a form keep their value, and may be sent all the same', async () => {
    const { settings } = await aSwitchboard(engine);
    await settings.overlay('global', { onboard_complete: true }, behalf);
    const hidden = ['onboard_complete', 'enabled_tools', 'manage_group'];
    const form = Object.entries(settings.of('global')).filter(([name]) => !hidden.includes(name));
    assert.equal((await settings.replace('global', Object.fromEntries(form), behalf)).onboard_complete, true);
  });

  test('that the suite keeps itself are not taken from anybody, and last', async () => {
    const { settings } = await aSwitchboard(engine);
    await settings.keep('global', { server_ips: ['192.0.2.1'], enabled_tools: ['a'] });
    const sent = { server_ips: ['192.0.2.9'], build: 7, onboard_complete: true, lockout_period: 20 };
    const saved = await settings.overlay('global', sent, behalf);
    assert.deepEqual([saved.server_ips, saved.build, saved.lockout_period], [['192.0.2.1'], 0, 20]);
    const { server_ips, enabled_tools, onboard_complete, lockout_period } = await settings.reset('global', behalf);
    assert.deepEqual([server_ips, enabled_tools, onboard_complete, lockout_period], [['192.0.2.1'], ['a'], true, 15]);
  });

  test('of earlier days are left out, or keep their value', async () => {
    const { settings } = await aSwitchboard(engine);
    await settings.overlay('ssl', { frontend: 2 }, behalf);
    assert.equal((await settings.replace('ssl', { admin: true, frontend: '' }, behalf)).frontend, 2);
    const removed = { ...bruteForce, zzz: 1 };
    assert.deepEqual(await codesOf(settings.replace('brute-force', removed, behalf)), [
      matching('brute-force', 'unknown', 'zzz'),
    ]);
  });

  test('name groups: new ones that there are not are refused, and those that went are dropped', async () => {
    const { settings, groups } = await aSwitchboard(engine);
    const strange = settings.overlay('dashboard', { group: [one, lost] }, behalf);
    assert.deepEqual(await codesOf(strange), ['secsuite-validator-dashboard-invalid-type-group-user-groups']);
    await settings.overlay('dashboard', { group: [one, two, 'everybody-else'] }, behalf);
    groups.delete(one);
    assert.deepEqual((await settings.overlay('dashboard', {}, behalf)).group, [two, 'everybody-else']);
    const inner = { requirement_settings: { strength: { group: [lost] } } };
    assert.deepEqual(await codesOf(settings.overlay('password-requirements', inner, behalf)), [
      'secsuite-validator-password-requirements-invalid-type-requirement_settings.strength.group-user-groups',
    ]);
  });

  test('with members that are left out are filled with what is usual', async () => {
    const { settings } = await aSwitchboard(engine);
    const sent = { requirement_settings: { strength: { group: [one] } } };
    const { requirement_settings } = await settings.overlay('password-requirements', sent, behalf);
    assert.partialDeepStrictEqual(requirement_settings, {
      strength: { group: [one] },
      age: { expire_max: 120, group: [] },
    });
    const { maxmind_api } = await settings.overlay('geolocation', { maxmind_api: { user: '7' } }, behalf);
    assert.deepEqual(maxmind_api, { user: '7', key: '' });
  });

  test('that are secret are kept sealed and shown as a mask, which keeps them when it is sent back', async () => {
    const { settings, store } = await aSwitchboard(engine);
    const keys = { site_key: 'open', secret_key: 'hush-hush' };
    const shown = await settings.overlay('recaptcha', keys, behalf);
    assert.deepEqual([shown.site_key, shown.secret_key, shown.cf_secret_key], ['open', mask, '']);
    const { rows } = await store.db
      .selectFrom('secsuite_settings')
      .selectAll()
      .execute()
      .then((rows) => ({ rows }));
    assert.equal(JSON.stringify(rows).includes('hush'), false);
    await settings.replace('recaptcha', shown, behalf);
    assert.equal(settings.secret('recaptcha', 'secret_key'), 'hush-hush');
    await settings.overlay('recaptcha', { secret_key: '' }, behalf);
    assert.equal(settings.secret('recaptcha', 'secret_key'), '');
    const inner = await settings.overlay('geolocation', { maxmind_lite: { key: 'deep' } }, behalf);
    assert.deepEqual(inner.maxmind_lite, { key: mask });
    assert.equal(
      (await settings.overlay('geolocation', { maxmind_lite: { key: mask } }, behalf)).maxmind_api !== undefined,
      true,
    );
    assert.equal(settings.secret('geolocation', 'maxmind_lite.key'), 'deep');
  });

  test('that are sealed with another key count as not set', async () => {
    const { settings, store } = await aSwitchboard(engine);
    await settings.overlay('recaptcha', { secret_key: 'hush' }, behalf);
    const { settings: after, log } = await aSwitchboard(engine, { store, sealedWith: randomBytes(32) });
    assert.equal(after.of('recaptcha').secret_key, '');
    assert.equal(after.secret('recaptcha', 'secret_key'), '');
    assert.match(JSON.stringify(log.lines), /recaptcha\.secret_key/);
  });

  test('that are stored and no longer fit count as not set', async () => {
    const { store } = await aSwitchboard(engine);
    const stored = JSON.stringify({ check_period: 0, max_attempts_host: 9, gone: 1 });
    await store.write((tx) => tx.insertInto('secsuite_settings').values({ module: 'brute-force', stored }).execute());
    const { settings } = await aSwitchboard(engine, { store });
    assert.partialDeepStrictEqual(settings.of('brute-force'), { check_period: 5, max_attempts_host: 9 });
  });

  test('lose nothing when several are changed at once, whichever process they are changed by', async () => {
    const first = await aSwitchboard(engine);
    const second = await aSwitchboard(engine, { store: first.store });
    await Promise.all([
      first.settings.overlay('brute-force', { check_period: 11 }, behalf),
      second.settings.overlay('brute-force', { max_attempts_host: 12 }, behalf),
      first.settings.keep('brute-force', (before) => ({ max_attempts_user: (before.max_attempts_user as number) + 3 })),
      second.settings.keep('brute-force', (before) => ({
        max_attempts_user: (before.max_attempts_user as number) + 4,
      })),
    ]);
    await first.settings.keep('brute-force', {});
    const whole = { auto_ban_admin: false, max_attempts_host: 12, max_attempts_user: 17, check_period: 11 };
    assert.deepEqual(first.settings.of('brute-force'), whole);
  });

  test('are saved by nobody who may not any more once it comes to that', async () => {
    const { settings } = await aSwitchboard(engine);
    const again = async () => {
      throw new Problem(403, 'rest_forbidden', 'Not any more.');
    };
    const save = settings.overlay('brute-force', { check_period: 11 }, { ...behalf, again });
    await assert.rejects(save, { code: 'rest_forbidden' });
    assert.equal(settings.of('brute-force').check_period, 5);
  });
});
