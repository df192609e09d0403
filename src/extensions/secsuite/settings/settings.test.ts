import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { createSeal } from '#site/seal.ts';
import { eachEngine, keptLog, type TestEngine } from '#test/databases.ts';
import type { Behalf } from '../behalf.ts';
import type { Module } from '../module.ts';
import { modulesOn } from '../modules/all.ts';
import { createSwitchboard } from '../switchboard.ts';
import { switchMigrations } from '../switches/tables.ts';
import { guardGlobal } from './global.ts';
import { mask } from './stored.ts';
import { settingsMigrations } from './tables.ts';

const [one, two] = ['7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0001', '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0002'];
const lost = '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009';
const tables = { owner: 'suite', migrations: [...switchMigrations, ...settingsMigrations] };
const behalf: Behalf = { caller: { id: 1, can: () => true } };
const key = randomBytes(32);

interface Options {
  readonly store?: Awaited<ReturnType<TestEngine['store']>>;
  readonly groups?: Set<string>;
  readonly modules?: readonly Module[];
  readonly sealedWith?: Buffer;
}

async function aSuite(engine: TestEngine, options: Options = {}) {
  const log = keptLog();
  const stopping = new AbortController();
  engine.atEnd(async () => stopping.abort());
  const { groups = new Set([one, two, 'everybody-else']) } = options;
  const store = options.store ?? (await engine.store([tables]));
  const board = createSwitchboard({
    store,
    seal: createSeal(options.sealedWith ?? key),
    modules: options.modules ?? modulesOn({ data: '/srv/site' }),
    deployment: {},
    url: 'http://site.test',
    front: 'nginx',
    log,
    stopping: stopping.signal,
    isGroup: (id) => groups.has(id),
  });
  await board.switches.ready;
  return { ...board, store, log, groups };
}

/** The codes it is refused with, the first and the others. */
async function codesOf(work: Promise<unknown>): Promise<string[]> {
  const problem = await work.then(
    () => assert.fail('It was not refused.'),
    (error) => error,
  );
  assert.ok(problem instanceof Problem, String(problem));
  assert.equal(problem.status, 400);
  return [problem.code, ...problem.others.map(({ code }) => code)];
}

const matching = (id: string, kind: string, name: string): string =>
  `secsuite-validator-${id}-validate_matching_fields-${kind}-name-${name}`;

const bruteForce = { auto_ban_admin: true, max_attempts_host: 6, max_attempts_user: 11, check_period: 7 };

eachEngine('settings of modules', (engine) => {
  test('are as usual until somebody sets them, and again once they are reset', async () => {
    const { settings } = await aSuite(engine);
    const usual = { auto_ban_admin: false, max_attempts_host: 5, max_attempts_user: 10, check_period: 5 };
    assert.deepEqual(settings.of('brute-force'), usual);
    assert.deepEqual(await settings.replace('brute-force', bruteForce, behalf), bruteForce);
    assert.deepEqual(settings.of('brute-force'), bruteForce);
    assert.deepEqual(await settings.reset('brute-force', behalf), usual);
    assert.deepEqual(settings.of('brute-force'), usual);
  });

  test('are replaced as a whole: what is missing and what is unknown is said, and nothing saved', async () => {
    const { settings } = await aSuite(engine);
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
    const { settings } = await aSuite(engine);
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
    const { settings } = await aSuite(engine);
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
    const { settings } = await aSuite(engine);
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
    const { settings } = await aSuite(engine);
    await settings.overlay('global', { onboard_complete: true }, behalf);
    const hidden = ['onboard_complete', 'enabled_tools', 'manage_group'];
    const form = Object.entries(settings.of('global')).filter(([name]) => !hidden.includes(name));
    assert.equal((await settings.replace('global', Object.fromEntries(form), behalf)).onboard_complete, true);
  });

  test('that the suite keeps itself are not taken from anybody, and last', async () => {
    const { settings } = await aSuite(engine);
    await settings.keep('global', { server_ips: ['192.0.2.1'], enabled_tools: ['a'] });
    const sent = { server_ips: ['192.0.2.9'], build: 7, onboard_complete: true, lockout_period: 20 };
    const saved = await settings.overlay('global', sent, behalf);
    assert.deepEqual([saved.server_ips, saved.build, saved.lockout_period], [['192.0.2.1'], 0, 20]);
    const { server_ips, enabled_tools, onboard_complete, lockout_period } = await settings.reset('global', behalf);
    assert.deepEqual([server_ips, enabled_tools, onboard_complete, lockout_period], [['192.0.2.1'], ['a'], true, 15]);
  });

  test('of earlier days are left out, or keep their value', async () => {
    const { settings } = await aSuite(engine);
    await settings.overlay('ssl', { frontend: 2 }, behalf);
    assert.equal((await settings.replace('ssl', { admin: true, frontend: '' }, behalf)).frontend, 2);
    const removed = { ...bruteForce, zzz: 1 };
    assert.deepEqual(await codesOf(settings.replace('brute-force', removed, behalf)), [
      matching('brute-force', 'unknown', 'zzz'),
    ]);
  });

  test('name groups: new ones that there are not are refused, and those that went are dropped', async () => {
    const { settings, groups } = await aSuite(engine);
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
    const { settings } = await aSuite(engine);
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
    const { settings, store } = await aSuite(engine);
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
    const { settings, store } = await aSuite(engine);
    await settings.overlay('recaptcha', { secret_key: 'hush' }, behalf);
    const { settings: after, log } = await aSuite(engine, { store, sealedWith: randomBytes(32) });
    assert.equal(after.of<{ secret_key: string }>('recaptcha').secret_key, '');
    assert.equal(after.secret('recaptcha', 'secret_key'), '');
    assert.match(JSON.stringify(log.lines), /recaptcha\.secret_key/);
  });

  test('that are stored and no longer fit count as not set', async () => {
    const { store } = await aSuite(engine);
    const stored = JSON.stringify({ check_period: 0, max_attempts_host: 9, gone: 1 });
    await store.write((tx) => tx.insertInto('secsuite_settings').values({ module: 'brute-force', stored }).execute());
    const { settings } = await aSuite(engine, { store });
    assert.partialDeepStrictEqual(settings.of('brute-force'), { check_period: 5, max_attempts_host: 9 });
  });

  test('lose nothing when several are changed at once, whichever process they are changed by', async () => {
    const first = await aSuite(engine);
    const second = await aSuite(engine, { store: first.store });
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
    const { settings } = await aSuite(engine);
    const again = async () => {
      throw new Problem(403, 'rest_forbidden', 'Not any more.');
    };
    const save = settings.overlay('brute-force', { check_period: 11 }, { ...behalf, again });
    await assert.rejects(save, { code: 'rest_forbidden' });
    assert.equal(settings.of<{ check_period: number }>('brute-force').check_period, 5);
  });
});

eachEngine('what rooms say when settings are saved', (engine) => {
  test('all that is wrong is answered together, and judged by values that fit', async () => {
    const { settings } = await aSuite(engine);
    settings.check('firewall', ({ after }) => {
      assert.equal(typeof after.check_period, 'number');
      return [new Problem(400, 'own', 'No.'), new Problem(400, 'other', 'No.', { why: 1 })];
    });
    const refused = await settings.overlay('firewall', { check_period: 'x' }, behalf).catch((error) => error);
    assert.deepEqual(await codesOf(Promise.reject(refused)), ['rest_invalid_type', 'own', 'other']);
    assert.deepEqual(
      refused.others.map(({ data }: { data: unknown }) => data),
      [null, { why: 1 }],
    );
  });

  test('what changes with it is saved with it; what follows is done once, and only where something changed', async () => {
    const { settings } = await aSuite(engine);
    const followed: unknown[] = [];
    const heard: unknown[] = [];
    settings.along('firewall', (_, after) => ({ max_attempts_host: (after.check_period as number) * 2 }));
    settings.effect('firewall', (before, after) => void followed.push([before.check_period, after.check_period]));
    settings.onChange((id, before, after) => heard.push([id, before.max_attempts_host, after.max_attempts_host]));
    await settings.overlay('firewall', { check_period: 40 }, behalf);
    await settings.overlay('firewall', { check_period: 40 }, behalf);
    assert.deepEqual(followed, [[30, 40]]);
    assert.deepEqual(heard, [['firewall', 10, 80]]);
  });

  test('others are asked before it is saved, and only once it is checked', async () => {
    const { settings } = await aSuite(engine);
    let asked = 0;
    settings.ahead('network-brute-force', async ({ after }) => {
      asked += 1;
      if (after.email === 'refused@example.org') throw new Problem(400, 'registry', 'No.');
      return { email: null, api_key: 'k', api_secret: 's' };
    });
    const email = 'owner@example.org';
    assert.deepEqual(await codesOf(settings.overlay('network-brute-force', { email, zzz: 1 }, behalf)), [
      matching('network-brute-force', 'unknown', 'zzz'),
    ]);
    assert.equal(asked, 0);
    const refused = settings.overlay('network-brute-force', { email: 'refused@example.org' }, behalf);
    assert.deepEqual(await codesOf(refused), ['registry']);
    const saved = await settings.overlay('network-brute-force', { email }, behalf);
    assert.deepEqual([saved.email, saved.api_key, saved.api_secret], [null, 'k', mask]);
    assert.equal(settings.secret('network-brute-force', 'api_secret'), 's');
  });

  test('more may be shown than is kept', async () => {
    const { settings, store } = await aSuite(engine);
    settings.shows('notification-center', (values) => ({
      ...values,
      notifications: { digest: { enabled: true }, ...(values.notifications as object) },
    }));
    const sent = { notifications: { backup: { enabled: false } } };
    const whole = { digest: { enabled: true }, backup: { enabled: false } };
    assert.deepEqual((await settings.overlay('notification-center', sent, behalf)).notifications, whole);
    assert.deepEqual((await settings.overlay('notification-center', {}, behalf)).notifications, whole);
    assert.deepEqual(settings.shown('notification-center').notifications, whole);
    const [row] = await store.db.selectFrom('secsuite_settings').selectAll().execute();
    assert.deepEqual(JSON.parse(row!.stored as string), sent);
  });

  test('what follows may fail without anything being undone', async () => {
    const { settings, log } = await aSuite(engine);
    settings.effect('firewall', () => {
      throw new Error('broken');
    });
    assert.equal((await settings.overlay('firewall', { check_period: 40 }, behalf)).check_period, 40);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1);
  });
});

eachEngine('the settings all modules share', (engine) => {
  const guarded = async () => {
    const suite = await aSuite(engine);
    guardGlobal(suite.settings, (groups, { id }) => groups.length === 0 || (groups.includes(one) && id === 1));
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

  test('messages hold no more HTML than texts of people may', async () => {
    const { settings } = await guarded();
    const sent = { lockout_message: '<p onclick="x()">Hello <script>x()</script></p>' };
    const { lockout_message } = await settings.overlay('global', sent, behalf);
    assert.doesNotMatch(String(lockout_message), /onclick|<script/);
    assert.match(String(lockout_message), /<p>Hello/);
  });
});
