// Notices over HTTP: what there is to tell, and what is done about it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';

const notices = '/api/secsuite/v1/admin-notices';
const set = `${notices}/settings`;
const failed = 'highlighted-log-notification-center-send-failed';

eachEngine('notices', (engine) => {
  const aHouse = async () => {
    let now = noon.getTime();
    const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
    const admin = site.as('administrator');
    await suite.settings.keep('global', { onboard_complete: true, proxy: 'automatic' });
    const list = async () =>
      (await admin.get(notices)).body as { id: string; severity: string; message: string; actions: object }[];
    return {
      site,
      suite,
      admin,
      list,
      ids: async () => (await list()).map(({ id }) => id),
      act: async (id: string, action: string) => {
        const { status, body } = await admin.post(`${notices}/${id}/${action}`, {});
        return body === undefined ? status : [status, body.code];
      },
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      failure: async () => {
        suite.logs.write({ module: 'notification_center', code: 'send_failed::digest', type: 'error', data: {} });
        await suite.logs.flush();
      },
    };
  };

  test('are for managers; whoever else is signed in has none, and nobody else asks', async () => {
    const { site, ids } = await aHouse();
    assert.ok((await ids()).includes('insecure-ip-detection'));
    const others = await site.as('subscriber').get(notices);
    assert.deepEqual([others.status, others.body], [200, []]);
    const acting = await site.as('subscriber').post(`${notices}/insecure-ip-detection/enable`);
    assert.deepEqual([acting.status, acting.body.code], [404, 'notice_not_found']);
    for (const answer of [await site.get(notices), await site.post(`${notices}/insecure-ip-detection/enable`)])
      assert.deepEqual([answer.status, answer.body.code], [401, 'not_logged_in']);
    assert.deepEqual([(await site.get(set)).status, (await site.as('editor').get(set)).status], [401, 403]);
  });

  test('what is not there, and what cannot be done, says so', async () => {
    const { act } = await aHouse();
    assert.deepEqual(await act('zzz', 'dismiss'), [404, 'notice_not_found']);
    assert.deepEqual(await act('insecure-ip-detection', 'zzz'), [404, 'action_not_found']);
    assert.deepEqual(await act('insecure-ip-detection', 'constructor'), [404, 'action_not_found']);
  });

  test('can be read by some of their members', async () => {
    const { admin, failure, ids } = await aHouse();
    await failure();
    const { body } = await admin.get(`${notices}?_fields=id`);
    assert.deepEqual(
      body,
      (await ids()).map((id) => ({ id })),
    );
    assert.ok(body.length > 0);
  });

  test('offer nothing that is not available in this version', async () => {
    const { admin, list } = await aHouse();
    await admin.put('/api/secsuite/v1/modules/malware-scheduling', { status: { selected: 'inactive' } });
    assert.doesNotMatch(JSON.stringify(await list()), /scan/);
  });

  test('a proxy that nobody believes is told of for a day, and can be put off for a week', async () => {
    const { site, act, ids, list, pass } = await aHouse();
    const id = 'untrusted-proxy-header';
    const throughProxy = () => site.get('/api/', { 'x-forwarded-for': '8.8.8.8' });
    assert.equal((await ids()).includes(id), false);
    await throughProxy();
    const notice = (await list()).find((one) => one.id === id);
    assert.deepEqual([notice?.severity, Object.keys(notice?.actions ?? {})], ['warning', ['remind_me']]);
    assert.equal(await act(id, 'remind_me'), 204);
    assert.equal((await ids()).includes(id), false);
    pass(7 * day + minute);
    assert.equal((await ids()).includes(id), false, 'none came lately');
    await throughProxy();
    assert.equal((await ids()).includes(id), true);
  });

  test('all visitors with one IP address are told of, with the line for each proxy', async () => {
    const { site, ids, list } = await aHouse();
    const id = 'shared-ip-address';
    const throughProxy = () => site.get('/api/', { host: 'site.test', 'x-forwarded-for': 'unknown' });
    for (let time = 0; time < 19; time += 1) await throughProxy();
    assert.equal((await ids()).includes(id), false);
    await throughProxy();
    const notice = (await list()).find((one) => one.id === id);
    assert.match(notice?.message ?? '', /Caddy: .*nginx: .*Traefik: .*Apache: .*HAProxy: `option forwardfor`/);
    assert.equal((await ids()).includes('untrusted-proxy-header'), false, 'one notice is enough');
  });

  test('asks how visitors are found, can be put off for a week, and finds out by itself', async () => {
    const { act, ids, list, pass, suite } = await aHouse();
    const id = 'insecure-ip-detection';
    const notice = (await list()).find((one) => one.id === id);
    assert.deepEqual(Object.keys(notice?.actions ?? {}), ['enable', 'configure', 'remind_me']);
    assert.equal(await act(id, 'configure'), 204);
    assert.equal(await act(id, 'remind_me'), 204);
    pass(7 * day - minute);
    assert.equal((await ids()).includes(id), false);
    pass(minute);
    assert.equal((await ids()).includes(id), true);
    assert.equal(await act(id, 'enable'), 204);
    assert.equal(suite.settings.of('global').proxy, 'security-check');
    assert.equal((await ids()).includes(id), false);
  });

  test('the newest entry of a kind is shown until it is dismissed, and the next one again', async () => {
    const { admin, act, ids, list, pass, failure } = await aHouse();
    assert.equal((await ids()).includes(failed), false);
    await failure();
    const notice = (await list()).find(({ id }) => id === failed) as never as Record<string, never>;
    assert.equal(notice.severity, 'warning');
    assert.deepEqual(Object.keys(notice.meta!), ['created_at', 'module', 'description']);
    const { view } = notice.actions as never as { view: { uri: string; route: string } };
    assert.equal((await admin.get(new URL(view.uri).pathname)).body.code.raw.code, 'send_failed');
    assert.equal(await act(failed, 'view'), 204);
    assert.equal((await ids()).includes(failed), false);
    pass(minute);
    await failure();
    assert.equal((await ids()).includes(failed), true);
  });

  test('a kind that is muted is not shown until somebody wants it again', async () => {
    const { admin, act, ids, pass, failure } = await aHouse();
    await failure();
    assert.equal(await act(failed, 'mute'), 204);
    pass(minute);
    await failure();
    assert.equal((await ids()).includes(failed), false);
    const all = { 'file-change-report': false, 'notification-center-send-failed': true, 'site-scanner-report': false };
    assert.deepEqual((await admin.get(set)).body, { muted_highlights: all });
    const wrong = await admin.put(set, { muted_highlights: { 'file-change-report': 'maybe' } });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'rest_invalid_param']);
    const sent = { 'notification-center-send-failed': false, 'file-change-report': true, zzz: true };
    const { status, body } = await admin.patch(set, { muted_highlights: sent });
    const now = { ...all, 'file-change-report': true, 'notification-center-send-failed': false };
    assert.deepEqual([status, body], [200, { muted_highlights: now }]);
    assert.deepEqual((await admin.put(set, { muted: ['x'] })).body, { muted_highlights: now });
    assert.equal((await ids()).includes(failed), true);
  });

  test('a log that was changed in the database is told of, once for each change', async () => {
    const { site, suite, admin, act, ids, pass, failure } = await aHouse();
    const { services } = site.app;
    const check = async () => {
      pass(minute);
      await suite.tasks.start('verify-log');
      await services.jobs.settled();
      await suite.logs.flush();
      return (await ids()).includes('log-changed');
    };
    const change = (url: string) =>
      services.store.write((tx) =>
        tx
          .updateTable('secsuite_logs' as never)
          .set({ url } as never)
          .execute(),
      );
    await failure();
    assert.equal(await check(), false);
    await change('x');
    assert.equal(await check(), true);
    const [entry] = (await admin.get('/api/secsuite/v1/logs?module=core')).body;
    assert.deepEqual([entry.type.raw, entry.data.faults[0].kind], ['critical-issue', 'changed']);
    assert.equal(await act('log-changed', 'dismiss'), 204);
    assert.equal(await check(), false, 'it was told of before');
    await change('y');
    assert.equal(await check(), true);
  });

  test('of a log that is kept in a file alone nothing is shown', async () => {
    const { ids, failure, suite } = await aHouse();
    await failure();
    await suite.settings.keep('global', { log_type: 'file' });
    assert.equal((await ids()).includes(failed), false);
  });

  test('secrets that no key opens are told', async () => {
    const { site, ids, suite } = await aHouse();
    await suite.settings.keep('security-check-pro', { key_salt: 'a secret' });
    assert.equal((await ids()).includes('encryption-key-changed'), false);
    await site.app.services.store.write(async (tx) => {
      await tx
        .updateTable('secsuite_settings' as never)
        .set({ stored: JSON.stringify({ key_salt: 'v1.a.b.c' }) } as never)
        .where('module' as never, '=', 'security-check-pro' as never)
        .execute();
    });
    assert.equal((await ids()).includes('encryption-key-changed'), true);
  });
});
