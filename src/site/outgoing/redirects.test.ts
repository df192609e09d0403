import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { Problem } from '#kernel/problem.ts';
import { certificateFor } from '#test/certificate.ts';
import { keptLog } from '#test/databases.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { createOutgoing } from './guard.ts';
import { type Purpose, Upstream } from './outgoing.ts';

const purpose: Purpose = { name: 'test', types: ['*'], most: 1000 };
const [known, unknown] = [certificateFor('known.test'), certificateFor('known.test')];
setDefaultCACertificates([known.cert]);

/** Leads from each path to what the map says, and says `here` everywhere else. */
async function leading(
  ways: Record<string, readonly [status: number, location?: string]>,
  identity?: { key: string; cert: string },
): Promise<AskedRemote> {
  const remote = await aRemote((request, response) => {
    const [status, location] = ways[request.url ?? ''] ?? [200];
    response.writeHead(status, { 'content-type': 'text/plain', ...(location && { location }) }).end('here');
  }, identity);
  after(() => remote.close());
  return remote;
}

const guard = (...hosts: readonly string[]) =>
  createOutgoing({ allowHosts: hosts, version: '1', log: keptLog(), lookup: async () => ['127.0.0.1'] });

const rejectsAs = (name: Upstream['fault']) => (error: unknown) => error instanceof Upstream && error.fault === name;
const isUnsafe = (error: unknown) => error instanceof Problem && error.code === 'unsafe_url';

const chain = { '/0': [302, '/1'], '/1': [301, '2'], '/2': [307, '/3?a'], '/3?a': [308, '/4'] } as const;

test('three redirects are followed, each from where the last one led', async () => {
  const remote = await leading(chain);
  const fetched = await guard(remote.host).fetch(`${remote.url}/1`, purpose);
  assert.equal(await fetched.text(), 'here');
  assert.equal(fetched.url, `${remote.url}/4`);
});

test('a fourth is not, and no connection stays open', async () => {
  const remote = await leading(chain);
  await assert.rejects(guard(remote.host).fetch(`${remote.url}/0`, purpose), rejectsAs('redirects'));
  assert.equal(remote.asked.length, 4);
  await remote.quiet();
});

test('who says how many are followed has so many followed', async () => {
  const remote = await leading(chain);
  const { fetch } = guard(remote.host);
  assert.equal(await (await fetch(`${remote.url}/0`, { ...purpose, redirects: 4 })).text(), 'here');
  await assert.rejects(fetch(`${remote.url}/3?a`, { ...purpose, redirects: 0 }), rejectsAs('redirects'));
  await remote.quiet();
});

test('headers alone are asked for elsewhere too, and say how long what they are of would be', async () => {
  const length = { 'content-length': 2 * purpose.most, 'content-type': 'text/plain' };
  const remote = await aRemote(({ url }, response) =>
    response.writeHead(url === '/' ? 302 : 200, url === '/' ? { location: '/there' } : length).end(),
  );
  after(() => remote.close());
  const fetched = await guard(remote.host).fetch(remote.url, { ...purpose, method: 'HEAD' });
  assert.deepEqual([fetched.url, fetched.headers.get('content-length')], [`${remote.url}/there`, '2000']);
  assert.equal(await fetched.text(), '');
  assert.deepEqual(
    remote.asked.map(({ method }) => method),
    ['HEAD', 'HEAD'],
  );
  await remote.quiet();
});

const forbidden = [
  'http://127.0.0.1/',
  'http://[::1]:8080/',
  'http://0x7f.1/',
  'http://known.test:9/',
  'ftp://127.0.0.1/',
  '//u:p@a.test/',
];
test('a redirect to a forbidden address is refused as if it had been asked for', () =>
  checkRows(forbidden, async (location) => {
    const remote = await leading({ '/': [302, location] });
    await assert.rejects(guard(remote.host).fetch(remote.url, purpose), isUnsafe);
    await remote.quiet();
  }));

for (const method of ['POST', 'DELETE'] as const)
  test(`what is sent by ${method} is not sent again elsewhere`, async () => {
    const remote = await leading({ '/': [307, '/there'] });
    const sending = guard(remote.host).fetch(remote.url, { ...purpose, method, body: 'a' });
    await assert.rejects(sending, rejectsAs('status'));
    assert.equal(remote.asked.length, 1);
    assert.equal(remote.asked[0]?.method, method);
  });

test('who asks for it is led within one host alone, and the other is not asked', async () => {
  const other = await leading({});
  const remote = await leading({ '/': [302, '/here'], '/away': [302, `${other.url}/there`] });
  const { fetch } = guard(remote.host, other.host);
  assert.equal(await (await fetch(remote.url, { ...purpose, withinHost: true })).text(), 'here');
  await assert.rejects(fetch(`${remote.url}/away`, { ...purpose, withinHost: true }), rejectsAs('redirects'));
  assert.equal(other.asked.length, 0);
  await remote.quiet();
});

test('one that leads nowhere is an error of the other side', async () => {
  const remote = await leading({ '/': [302] });
  await assert.rejects(guard(remote.host).fetch(remote.url, purpose), rejectsAs('status'));
});

test('what was said to one origin is not told another, not even one that leads back', async () => {
  const [first, second] = [await leading({ '/': [302, '/on'] }), await leading({})];
  const ways: Record<string, string> = { '/on': `${second.url}/`, '/': `${first.url}/end` };
  const between = await aRemote((request, response) =>
    response.writeHead(302, { location: ways[request.url ?? ''] }).end(),
  );
  after(() => between.close());
  const start = await leading({ '/': [302, '/same'], '/same': [302, `${between.url}/`] });
  const outgoing = guard(start.host, between.host, first.host);
  const headers = { Authorization: 'Bearer secret' };
  await (await outgoing.fetch(start.url, { ...purpose, headers })).bytes();
  assert.deepEqual(
    start.asked.map((request) => request.headers.authorization),
    ['Bearer secret', 'Bearer secret'],
  );
  assert.deepEqual(
    between.asked.map((request) => request.headers.authorization),
    [undefined],
  );
  assert.deepEqual(
    first.asked.map((request) => request.headers.authorization),
    [undefined],
  );
});

test('over TLS the certificate must be made out to the name', async () => {
  const remote = await leading({}, known);
  const [good, bad] = [`known.test:${remote.port}`, `other.test:${remote.port}`];
  const outgoing = guard(good, bad, remote.host);
  assert.equal(await (await outgoing.fetch(`https://${good}/`, purpose)).text(), 'here');
  await assert.rejects(outgoing.fetch(`https://${bad}/`, purpose), rejectsAs('unreachable'));
  await assert.rejects(outgoing.fetch(remote.url, purpose), rejectsAs('unreachable'));
  await remote.quiet();
});

test('and come from somebody who is trusted', async () => {
  const remote = await leading({}, unknown);
  const host = `known.test:${remote.port}`;
  await assert.rejects(guard(host).fetch(`https://${host}/`, purpose), rejectsAs('unreachable'));
  assert.equal(remote.asked.length, 0);
});

test('whatever the environment says', async () => {
  const remote = await leading({}, unknown);
  const host = `known.test:${remote.port}`;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const asked = guard(host).fetch(`https://${host}/`, purpose);
  await assert.rejects(asked, rejectsAs('unreachable')).finally(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  assert.equal(remote.asked.length, 0);
});

test('what began over TLS does not go on without', async () => {
  const open = await leading({});
  const remote = await leading({ '/': [302, open.url] }, known);
  const host = `known.test:${remote.port}`;
  await assert.rejects(guard(host, open.host).fetch(`https://${host}/`, purpose), isUnsafe);
  assert.equal(open.opened, 0);
});
