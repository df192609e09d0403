import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect as securely } from 'node:tls';
import { certificateFor } from '#test/certificate.ts';
import { keptLog } from '#test/databases.ts';
import { fault, plain, remote } from '#test/guarded.ts';
import { aRemote } from '#test/remote.ts';
import type { Connect } from './connect.ts';
import { createOwnSite } from './own-site.ts';

const ownAt = (url: string, connect?: Connect) =>
  createOwnSite(url, { version: '1', log: keptLog(), ...(connect && { connect }) });

test('a site is asked at its own address, private or not, and at no other', async () => {
  const self = await remote((_, response) => response.setHeader('Content-Type', 'text/plain').end('at home'));
  const other = await remote((_, response) => response.end());
  const own = ownAt(self.url);
  assert.equal(await (await own.fetch(self.url, plain)).text(), 'at home');
  await assert.rejects(own.fetch(other.url, plain), /must go to the site itself/);
  assert.equal(other.opened, 0);
});

test('where it leads to others inside, they are not asked', async () => {
  const other = await remote((_, response) => response.end());
  const self = await remote((_, response) => response.writeHead(302, { Location: other.url }).end());
  await assert.rejects(ownAt(self.url).fetch(self.url, plain), { code: 'unsafe_url' });
  assert.equal(other.opened, 0);
});

test('a certificate that nobody signed is none', async () => {
  const identity = certificateFor('localhost');
  const self = await aRemote((_, response) => response.end(), identity);
  after(() => self.close());
  assert.equal(await ownAt(`https://localhost:${self.port}`).certificate(), undefined);
});

test('of one that is taken, it is told until when', async () => {
  const identity = certificateFor('localhost');
  const self = await aRemote((_, response) => response.end(), identity);
  after(() => self.close());
  const trusting: Connect = ({ address, port, name }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof securely>>();
    const socket = securely({ host: address, port, servername: name, ca: identity.cert }, () => resolve(socket));
    socket.once('error', reject);
    return promise;
  };
  const until = await ownAt(`https://localhost:${self.port}`, trusting).certificate();
  assert.deepEqual(until, new Date('2120-01-01T00:00:00Z'));
});

test('where nobody shows one, that is no answer', async () => {
  await assert.rejects(ownAt('https://127.0.0.1:1').certificate(), fault('unreachable'));
  const nowhere = createOwnSite('https://nowhere.test', { version: '1', log: keptLog(), lookup: async () => [] });
  await assert.rejects(nowhere.certificate(), fault('unreachable'));
});

test('its name leads to addresses, private or not, or nowhere', async () => {
  assert.deepEqual(await ownAt('http://127.0.0.1:1').addresses(), ['127.0.0.1']);
  const lookup = async () => ['10.0.0.7', '2001:db8::7'];
  const named = createOwnSite('http://inside.test', { version: '1', log: keptLog(), lookup });
  assert.deepEqual(await named.addresses(), ['10.0.0.7', '2001:db8::7']);
  const nowhere = createOwnSite('https://nowhere.test', { version: '1', log: keptLog(), lookup: async () => [] });
  await assert.rejects(nowhere.addresses(), { code: 'unsafe_url' });
});
