import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { aNameServer, type NameServer } from '#test/name-server.ts';
import { type Lookup, lookupReally } from './look-up.ts';

const patient = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
const hosts = join(folder, 'hosts');
writeFileSync(hosts, '# ours\n127.0.0.1\tlocalhost  vault.test # 10.0.0.9 listed.test\n::1 LOCALHOST\n');

describe('A name', () => {
  let server: NameServer;
  let lookup: Lookup;
  before(async () => {
    const both = ['93.184.216.34', '2606:2800:0220:0001:0248:1893:25c8:1946'];
    server = await aNameServer({
      'site.test': both,
      'four.test': ['1.1.1.1', '8.8.8.8'],
      'bare.test': [],
      localhost: ['1.1.1.1'],
    });
    lookup = lookupReally({ allowHosts: ['localhost:3000'], hosts, servers: [server.at] });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('has all of its addresses', async () => {
    assert.deepEqual(await lookup('site.test', patient), ['2606:2800:220:1:248:1893:25c8:1946', '93.184.216.34']);
    assert.deepEqual((await lookup('four.test', patient)).toSorted(), ['1.1.1.1', '8.8.8.8']);
  });

  test('without any is not there, like one that nobody knows', async () => {
    for (const name of ['bare.test', 'none.test', 'listed.test', `${'a'.repeat(64)}.test`])
      await assert.rejects(lookup(name, patient), { code: 'ENOTFOUND' }, name);
  });

  test('that the machine keeps itself is asked of nobody', async () => {
    const plain = lookupReally({ allowHosts: [], hosts, servers: [server.at] });
    assert.deepEqual(await plain('localhost', patient), ['127.0.0.1', '::1']);
    assert.deepEqual(await plain('vault.test.', patient), ['127.0.0.1']);
  });

  test('of the operator is looked up by the system', async () => {
    assert.ok((await lookup('localhost', patient)).every((address) => ['127.0.0.1', '::1'].includes(address)));
  });

  test('that is slow holds up no other, and is given up when nobody waits any longer', async () => {
    const asker = new AbortController();
    const slow = Array.from({ length: 64 }, (_, n) => lookup(`slow${n}.test`, asker.signal));
    const given = Promise.allSettled(slow);
    await server.silentTo(128);
    assert.equal((await lookup('site.test', patient)).length, 2);
    asker.abort(new Error('no longer'));
    for (const outcome of await given)
      assert.equal(outcome.status === 'rejected' && outcome.reason.message, 'no longer');
    await assert.rejects(lookup('site.test', asker.signal), /no longer/);
  });

  test('that its server fails at is not known to be missing', async () => {
    await assert.rejects(lookup('broken.test', patient), { code: 'ESERVFAIL' });
  });
});
