import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import type { RuleTables } from './tables.ts';

const posts = '/api/core/v2/posts';
const rules = '/api/secsuite/v1/firewall/rules';
const logs = '/api/secsuite/v1/logs';
const rule = { name: 'Bad', config: { type: 'BLOCK', rules: [{ parameter: 'get.bad', match: { type: 'isset' } }] } };

eachEngine('The firewall in the suite', (engine) => {
  test('locks out who is refused too often, and logs each time which rule it was', async () => {
    const [site, suite] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    const { id } = (await admin.post(rules, rule)).body;
    const stranger = visitorFrom(site.port, '127.0.0.9');
    const ask = async (path: string) => (await stranger.ask(path)).body?.code;
    for (let time = 0; time < 10; time++) {
      assert.equal(await ask(`${posts}?bad=1`), 'secsuite_firewall_blocked');
      if (time < 9) assert.equal(await ask(posts), undefined);
    }
    assert.equal(await ask(posts), 'secsuite_host_locked_out');
    await suite.logs.flush();
    const { body } = await admin.get(`${logs}?module[]=firewall&_embed`);
    assert.equal(body.length, 10);
    assert.deepEqual(body[0].code.raw, { code: 'BLOCK', data: [String(id)] });
    assert.deepEqual([body[0].ip.raw, body[0].user], ['127.0.0.9', 0]);
    assert.equal(body[0]._embedded['secsuite:firewall-rule'][0].name, 'Bad');
    const [lockout] = (await admin.get(`${logs}?module[]=lockout`)).body;
    assert.deepEqual(lockout.code.raw, { code: 'host-lockout', data: ['127.0.0.9'] });
    assert.equal(lockout.ip.raw, '127.0.0.9');
    assert.match(lockout.url, /\/api\/core\/v2\/posts\?bad=1$/);
  });

  test('logs what a rule protects against, and leads to the rule all the same', async () => {
    const [site, suite] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    const { id } = (await admin.post(rules, rule)).body;
    const store: Store<RuleTables> = site.app.services.store;
    await store.write((tx) => tx.updateTable('secsuite_firewall_rules').set({ vulnerability: 'cve-1' }).execute());
    await suite.firewall.running.refresh();
    await visitorFrom(site.port, '127.0.0.9').ask(`${posts}?bad=1`);
    await suite.logs.flush();
    const [entry] = (await admin.get(`${logs}?module[]=firewall`)).body;
    assert.deepEqual(entry.code.raw, { code: 'BLOCK', data: [`${id}|cve-1`] });
    assert.match(entry._links['secsuite:firewall-rule'][0].href, new RegExp(`/firewall/rules/${id}$`));
  });

  test('refuses nobody who is always let in', async () => {
    const [site] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    await admin.post(rules, rule);
    assert.equal(
      (await admin.patch('/api/secsuite/v1/settings/global', { lockout_white_list: ['127.0.0.9'] })).status,
      200,
    );
    const ask = async (from: string) => (await visitorFrom(site.port, from).ask(`${posts}?bad=1`)).status;
    assert.deepEqual([await ask('127.0.0.9'), await ask('127.0.0.10')], [200, 403]);
  });

  test('has no rules while its module does not run', async () => {
    const [site] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    await admin.post(rules, rule);
    const path = '/api/secsuite/v1/modules/firewall';
    assert.equal((await admin.put(path, { status: { selected: 'inactive' } })).status, 200);
    assert.equal((await admin.get(rules)).body.code, 'rest_no_route');
    const stranger = visitorFrom(site.port, '127.0.0.9');
    assert.equal((await stranger.ask(`${posts}?bad=1`)).status, 200);
  });

  for (const name of ['GATEHOUSE_FIREWALL', 'GATEHOUSE_SECURITY_SUITE'])
    test(`lets everybody pass while the operator switched it off, by ${name}`, async () => {
      const [site] = await aGuardedSite(engine, { env: { [name]: 'off' } });
      assert.equal((await site.as('administrator').post(rules, rule)).status, 201);
      const stranger = visitorFrom(site.port, '127.0.0.9');
      assert.equal((await stranger.ask(`${posts}?bad=1`)).status, 200);
    });
});
