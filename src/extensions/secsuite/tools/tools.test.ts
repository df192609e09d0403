// The tools over HTTP, each for real.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { aToolHouse } from '#test/tool-house.ts';

const tools = '/api/secsuite/v1/tools';
const client = { address: '192.0.2.7', agent: 'test' };

eachEngine('tools', (engine) => {
  const aHouse = () => aToolHouse(engine);

  test('are those of the modules that run, shown to managers alone', async () => {
    const { site, admin, shown } = await aHouse();
    const { status, body } = await admin.get(tools);
    assert.equal(status, 200);
    const { title, description, help, form, ...record } = body.find(
      ({ slug }: { slug: string }) => slug === 'identify-server-ips',
    );
    assert.ok(title && description && help && form === null);
    const links = {
      self: [{ targetHints: { allow: ['GET', 'PUT', 'POST'] }, href: `http://site.test${tools}/identify-server-ips` }],
    };
    assert.deepEqual(record, {
      slug: 'identify-server-ips',
      module: 'global',
      keywords: [],
      available: true,
      condition: null,
      toggleable: false,
      schedule: 'identify-server-ips',
      _links: links,
    });
    for (const slug of ['create-mu-plugin', 'remove-mu-plugin', 'change-database-prefix', 'rotate-encryption-key'])
      assert.equal((await shown(slug)).available, false, slug);
    assert.deepEqual(Object.keys((await shown('server-config-rules')).condition), ['description', 'settings']);
    for (const request of [site.get(tools), site.post(`${tools}/change-salts`)])
      assert.equal((await request).status, 401);
    assert.equal((await site.as('editor').post(`${tools}/change-salts`)).status, 403);
  });

  test('one that is not there, not of use now or not switched says so', async () => {
    const { admin, run } = await aHouse();
    assert.deepEqual((await run('zzz')).body.code, 'rest_not_found');
    assert.equal((await run('zzz')).status, 404);
    const refused = await run('change-database-prefix');
    assert.deepEqual([refused.status, refused.body.code], [400, 'secsuite.tools.run.not-available']);
    for (const [enabled, code] of [
      [true, 'secsuite.tools.enable-non-toggleable'],
      [false, 'secsuite.tools.disable-non-toggleable'],
    ] as const) {
      const { status, body } = await admin.put(`${tools}/change-salts`, { enabled });
      assert.deepEqual([status, body.code], [400, code]);
    }
    assert.equal((await admin.put(`${tools}/change-salts`, {})).status, 200);
    assert.equal((await admin.put(`${tools}/change-salts`, { enabled: 'maybe' })).body.code, 'rest_invalid_param');
  });

  test('secrets are sealed anew once that is confirmed, and open as before', async () => {
    const { services, suite, run, sets, shown, logged } = await aHouse();
    await sets('global', { write_files: false });
    assert.equal((await shown('set-encryption-key')).available, false);
    await sets('global', { write_files: true });
    await suite.settings.keep('security-check-pro', { key_salt: 'a secret' });
    const kept = async () => {
      const row = await services.store.db
        .selectFrom('secsuite_settings' as never)
        .select('stored' as never)
        .where('module' as never, '=', 'security-check-pro' as never)
        .executeTakeFirstOrThrow();
      return (row as { stored: string }).stored;
    };
    const before = await kept();
    assert.doesNotMatch(before, /a secret/);
    const refused = await run('set-encryption-key');
    assert.deepEqual([refused.status, refused.body.code], [400, 'secsuite.tool.set-encryption-key.unconfirmed']);
    const { status, headers } = await run('set-encryption-key', { confirm: true });
    assert.deepEqual([status, headers.get('x-messages-info')], [204, '["Sealed anew: 1."]']);
    assert.notEqual(await kept(), before);
    assert.equal(suite.settings.secret('security-check-pro', 'key_salt'), 'a secret');
    assert.equal(await suite.secretsKey.hasUnreadable(), false);
    assert.equal((await run('rotate-encryption-key', { previous: 'x' })).body.code, 'secsuite.tools.run.not-available');
    assert.deepEqual(await logged('core'), [
      ['debug', 'enabled-encryption'],
      ['debug', 'try-enable-encryption'],
    ]);
  });

  test('new keys for sessions sign everybody out, whoever wants them among them', async () => {
    const { services, suite, run, site } = await aHouse();
    const { sessions } = services.identity;
    const user = await site.user({ login: 'ada', roles: ['author'] });
    const { cookie } = (await sessions.start(user, true, client))!;
    const before = services.keys.sessions;
    assert.ok(await sessions.find(cookie));
    const { status } = await run('change-salts');
    assert.equal(status, 204);
    assert.equal(await sessions.find(cookie), undefined);
    assert.notDeepEqual(services.keys.sessions, before);
    const again = (await sessions.start(user, true, client))!;
    assert.ok(await sessions.find(again.cookie));
    assert.equal(suite.settings.of('core-salts').last_generated, noon.getTime() / 1_000);
  });

  test('another process signs everybody out with the new keys too', async () => {
    const { site, services, run } = await aHouse();
    const { openKeys } = await import('#site/platform/keys.ts');
    const { createSessionKey } = await import('#site/identity/session-key.ts');
    const secret = 'a secret that only this test knows of';
    const elsewhere = await openKeys(services.store, secret, () => noon);
    createSessionKey(services.store, secret, elsewhere);
    await run('change-salts');
    await soon(async () => elsewhere.sessions.equals(services.keys.sessions), true);
    assert.equal((await site.get(tools)).status, 401);
  });

  test('the rules of the web server are written where writing is on, every hour too', async () => {
    const { site, services, run, sets, later } = await aHouse();
    const path = join(site.config.data, 'rules.conf');
    await sets('global', { nginx_file: path, write_files: false });
    const refused = await run('server-config-rules');
    assert.deepEqual([refused.status, refused.body.code], [400, 'secsuite.tools.run.condition-invalid']);
    await later(hour);
    assert.equal(existsSync(path), false);
    await sets('global', { write_files: true });
    await services.jobs.settled();
    rmSync(path);
    const written = await run('server-config-rules');
    assert.deepEqual([written.status, written.headers.has('x-messages-info')], [204, true]);
    const rules = readFileSync(path, 'utf8');
    assert.ok(rules.length > 0);
    assert.equal((await run('server-config-rules')).headers.has('x-messages-info'), false);
    rmSync(path);
    await later(hour);
    assert.equal(readFileSync(path, 'utf8'), rules);
    assert.equal((await run('wp-config-rules')).status, 204);
  });

  test('the rights of files are told as they are', async () => {
    const { site, run } = await aHouse();
    const { status, body } = await run('check-file-permissions');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body[site.config.data]), ['path', 'suggested', 'actual']);
    assert.deepEqual([body[site.config.data].path, body[site.config.data].suggested], ['.', '755']);
    assert.match(body[site.config.data].actual, /^[0-7]{3}$/);
  });

  test('where neither the name nor the site answers, the addresses of the server stay unknown', async () => {
    const { run } = await aHouse();
    const { status, body } = await run('identify-server-ips');
    assert.deepEqual([status, body.code], [500, 'secsuite.tool.identify-server-ips.failed']);
    assert.deepEqual(
      body.additional_errors.map(({ code }: { code: string }) => code),
      ['secsuite.tool.identify-server-ips.no-dns', 'http_request_failed'],
    );
  });

  test('how visitors reach the site is found by the request that asks', async () => {
    const { admin, suite, later, logged } = await aHouse();
    const { status, headers } = await admin.post(
      `${tools}/security-check-pro`,
      {},
      { 'x-forwarded-for': '203.0.113.9' },
    );
    assert.equal(status, 204);
    assert.match(headers.get('x-messages-info') ?? '', /HTTPS/);
    const kept = suite.settings.of('security-check-pro');
    assert.equal(kept.ssl_supported, false);
    assert.deepEqual(await logged('security-check-pro'), [
      ['process-stop', 'start-scan'],
      ['process-start', 'start-scan'],
    ]);
    await later(25 * hour);
    assert.equal(suite.settings.of('security-check-pro').last_scan_timestamp, kept.last_scan_timestamp);
  });
});
