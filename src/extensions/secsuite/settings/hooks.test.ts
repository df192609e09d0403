import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { eachEngine } from '#test/databases.ts';
import { aSwitchboard, behalf, codesOf, matching } from '#test/switchboard.ts';
import { mask } from './stored.ts';

eachEngine('what rooms say when settings are saved', (engine) => {
  test('all that is wrong is answered together, and judged by values that fit', async () => {
    const { settings } = await aSwitchboard(engine);
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
    const { settings } = await aSwitchboard(engine);
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
    const { settings } = await aSwitchboard(engine);
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
    const { settings, store } = await aSwitchboard(engine);
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
    const { settings, log } = await aSwitchboard(engine);
    settings.effect('firewall', () => {
      throw new Error('broken');
    });
    assert.equal((await settings.overlay('firewall', { check_period: 40 }, behalf)).check_period, 40);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1);
  });
});
