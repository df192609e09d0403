// Deactivating what defends a site: it is asked about, and the start, doctor and site health say it afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aMadePlace, stopped } from '#test/serving.ts';
import { aSite } from '#test/site.ts';

const undefended = /Undefended {2}the security suite is not active \(gatehouse extension activate security-suite\)/;

eachEngine('Without the security suite', (engine) => {
  test('a site says at its start and by doctor that nothing defends it, and was asked first', async () => {
    const { run, serveHere } = await aMadePlace(engine);
    const unasked = await run('extension', 'deactivate', 'security-suite');
    assert.deepEqual([unasked.code, unasked.out], [2, '']);
    assert.match(
      unasked.err,
      /^Without it, the site is not protected, and there is no terminal to ask for confirmation; add --yes\.$/m,
    );
    assert.doesNotMatch((await run('doctor', '--port', '0')).out, /Defence/);
    const off = await run('extension', 'deactivate', 'security-suite', '--yes');
    assert.deepEqual([off.code, off.out], [0, 'Security suite is off.\n'], off.err);
    assert.match(off.err, /^These stop at once.*\n {2}- lockouts after wrong passwords, bans.*\n {2}- the firewall/m);
    assert.match((await run('extension', 'deactivate', 'embeds')).out, /^Embeds is off\.$/m);
    const seen = JSON.parse((await run('doctor', '--json', '--port', '0')).out).findings;
    assert.deepEqual(
      seen.find(({ what }: { what: string }) => what === 'Protection'),
      {
        what: 'Protection',
        state: 'warning',
        finding: 'the security suite is not active',
        remedy: 'Activate it: "gatehouse extension activate security-suite".',
      },
    );
    const first = await serveHere();
    assert.match(first.said, undefended);
    await stopped(first);
    const on = await run('extension', 'activate', 'security-suite');
    assert.equal(on.code, 0, on.err);
    assert.doesNotMatch((await serveHere()).said, /Undefended/);
  });

  test('site health says it, while clients that deactivate it are not asked', async () => {
    const site = await aSite(engine);
    const { get, put } = site.as('administrator');
    const look = async () => (await get('/api/core-site-health/v1/tests/defence')).body;
    assert.equal((await look()).status, 'good');
    const plugin = '/api/core/v2/plugins/security-suite/security-suite';
    assert.equal((await put(plugin, { status: 'inactive' })).body.status, 'inactive');
    const { status, label, actions } = await look();
    assert.deepEqual([status, label], ['recommended', 'Protection: the security suite is not active']);
    assert.match(actions, /gatehouse extension activate security-suite/);
    assert.equal((await put(plugin, { status: 'active' })).body.status, 'active');
    assert.equal((await look()).status, 'good');
  });

  test('site health says as well what a setting keeps from defending it', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_FIREWALL: 'off' } });
    const { body } = await site.as('administrator').get('/api/core-site-health/v1/tests/defence');
    assert.match(body.actions, /without GATEHOUSE_FIREWALL/);
  });
});
