import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aRemote, aRudeRemote } from '#test/remote.ts';
import { connectReally } from './connect.ts';

const patient = new AbortController().signal;

async function remote() {
  const one = await aRemote((_, response) => response.end());
  after(() => one.close());
  return one;
}

test('a connection that leads to another address than was vetted is closed', async () => {
  const { port, quiet } = await remote();
  // Systems take this address for the machine itself.
  const asked = connectReally({ address: '0.0.0.0', port, secure: false, name: 'site.test' }, patient);
  await assert.rejects(asked, /another IP address|ECONNREFUSED|EADDRNOTAVAIL/);
  await quiet();
});

for (const address of ['127.0.0.1', '::ffff:127.0.0.1']) {
  test(`one to ${address} leads there`, async () => {
    const { port } = await remote();
    const socket = await connectReally({ address, port, secure: false, name: 'site.test' }, patient);
    assert.match(socket.remoteAddress ?? '', /127\.0\.0\.1$/);
    socket.destroy();
  });
}

test('who gives up while it is made secure leaves nothing open', async () => {
  const silent = await aRudeRemote(() => {});
  after(() => silent.close());
  const giving = new AbortController();
  const spot = { address: '127.0.0.1', port: silent.port, secure: true, name: 'site.test' };
  const asked = connectReally(spot, giving.signal);
  giving.abort(new Error('no longer'));
  await assert.rejects(asked, /no longer/);
  await silent.quiet();
});

test('who has given up already is not connected', async () => {
  const spot = { address: '127.0.0.1', port: (await remote()).port, secure: false, name: 'site.test' };
  await assert.rejects(connectReally(spot, AbortSignal.abort(new Error('no longer'))), /no longer/);
});
