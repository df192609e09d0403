// Other sites, found by any of their addresses.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { keptLog, type TestEngine, testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { offline } from '#test/offline.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type SiteOptions, type TestSite } from '#test/site.ts';
import { hello } from '../../../../../examples/hello/extension.ts';
import { createDiscover, type Discover, discoverRoutes, linked } from './part.ts';

const part: Entry<{ discover: Discover }> = (tools) => ({
  name: 'part-of-the-suite',
  nouns: ({ outgoing, ownSite, site }) => ({ discover: createDiscover({ outgoing, ownSite, site: site.url }) }),
  routes: { 'secsuite/rpc': discoverRoutes(tools, 'manage_options') },
});

const aPart = (engine: TestEngine, options: SiteOptions = {}): Promise<TestSite> =>
  aSite(engine, { ...options, extensions: [hello, part] });

const ask = (site: TestSite, url: unknown) => site.as('administrator').post('/api/secsuite/rpc/discover', { url });

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** Answers each path as the map says, and nothing elsewhere. */
async function answering(answers: (url: string) => Readonly<Record<string, Answer>>): Promise<AskedRemote> {
  const listener: RequestListener = (request, response) => {
    const [status, body, headers] = answers(remote.url)[request.url ?? ''] ?? [404, 'nothing'];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
  const remote = await aRemote(listener);
  after(() => remote.close());
  return remote;
}

const rel = 'rel="https://api.w.org/"';
const fields = '_fields=name,description,url,home,namespaces,authentication,_links,_embedded&_embed=wp:featuredmedia';
const index = { name: 'Another', namespaces: ['secsuite/v1'] };
const secsuite = { namespace: 'secsuite/v1', routes: {} };
const front = (url: string): Answer => [200, 'a page', { link: `<${url}/x/>; rel="alternate", <${url}/api/>; ${rel}` }];
const whole = (url: string) => ({
  '/': front(url),
  [`/api/?${fields}`]: [200, index] as Answer,
  '/api/secsuite/v1': [200, secsuite] as Answer,
});

describe('Another site', () => {
  // Nothing is kept of it.
  const engine = testEngine('sqlite');
  const near = async (remote: AskedRemote): Promise<TestSite> =>
    aPart(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });

  test('is found by the address of its front page', async () => {
    const remote = await answering(whole);
    const { status, body } = await ask(await near(remote), `${remote.url}/`);
    assert.deepEqual([status, body], [200, { url: `${remote.url}/api/`, index, secsuite }]);
    assert.deepEqual(
      remote.asked.map(({ method, url }) => `${method} ${url}`),
      ['HEAD /', `GET /api/?${fields}`, 'GET /api/secsuite/v1'],
    );
    await remote.quiet();
  });

  test('is found where five others lead, where it says nothing is, and by a root that is an argument', async () => {
    const remote = await answering((url) => ({
      ...Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`/${at}`, [302, '', { location: `/${at + 1}` }] as Answer])),
      '/5': [404, 'nothing', { link: `</?rest_route=/>; ${rel}`, 'content-length': '9999999' }],
      '/6': [302, '', { location: '/0' }],
      [`/?rest_route=/&${fields}`]: [200, index],
      '/?rest_route=/secsuite/v1': [200, secsuite],
      [url]: [200, ''],
    }));
    const site = await near(remote);
    assert.equal((await ask(site, `${remote.url}/0`)).body.url, `${remote.url}/?rest_route=/`);
    assert.equal((await ask(site, `${remote.url}/6`)).body.code, 'secsuite.discover.cannot-connect');
  });

  const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const misfits: readonly (readonly [string, (url: string) => Readonly<Record<string, Answer>>, number, string])[] = [
    ['says nothing of an interface', () => ({ '/': [200, ''] }), 400, 'missing-link-header'],
    ['leads elsewhere', () => ({ '/': [200, '', { link: '</>; rel="next"' }] }), 400, 'invalid-link-header'],
    ['leads nowhere', () => ({ '/': [200, '', { link: `<http://>; ${rel}` }] }), 400, 'invalid-link-header'],
    ['leads to files', () => ({ '/': [200, '', { link: `<file:///etc/>; ${rel}` }] }), 400, 'invalid-link-header'],
    ['leads inside', () => ({ '/': [200, '', { link: `<http://10.0.0.1/>; ${rel}` }] }), 502, 'index.cannot-connect'],
    ['redirects inside', () => ({ '/': [302, '', { location: 'http://169.254.169.254/' }] }), 502, 'cannot-connect'],
    ['has no index', (url) => ({ ...whole(url), [`/api/?${fields}`]: [500, {}] }), 400, 'index.non-200'],
    ['has nothing there', (url) => ({ ...whole(url), [`/api/?${fields}`]: [204, ''] }), 400, 'index.non-200'],
    ['has an empty one', (url) => ({ ...whole(url), [`/api/?${fields}`]: [200, {}] }), 400, 'index.empty'],
    ['has a list', (url) => ({ ...whole(url), [`/api/?${fields}`]: [200, [1]] }), 400, 'index.empty'],
    ['has a page', (url) => ({ ...whole(url), [`/api/?${fields}`]: [200, '<p>'] }), 400, 'index.empty'],
    ['has a deep one', (url) => ({ ...whole(url), [`/api/?${fields}`]: [200, deep] }), 400, 'index.empty'],
    [
      'says too much',
      (url) => ({ ...whole(url), [`/api/?${fields}`]: [200, { a: 'x'.repeat(1024 * 1024) }] }),
      502,
      'index.cannot-connect',
    ],
    ['has no suite', (url) => ({ ...whole(url), '/api/secsuite/v1': [404, {}] }), 400, 'secsuite-index.non-200'],
    [
      'has an empty suite',
      (url) => ({ ...whole(url), '/api/secsuite/v1': [200, 'null'] }),
      400,
      'secsuite-index.empty',
    ],
    [
      'keeps its suite inside',
      (url) => ({ ...whole(url), '/api/secsuite/v1': [302, '', { location: 'http://[::1]/' }] }),
      502,
      'secsuite-index-cannot-connect',
    ],
  ];
  test('that does not answer as it should is refused', () =>
    checkRows(misfits, async ([, answers, status, code]) => {
      const remote = await answering(answers);
      const outgoing = createOutgoing({ allowHosts: [remote.host], version: '1', log: keptLog(), ...offline });
      const discover = createDiscover({ outgoing, ownSite: outgoing, site: 'http://site.test' });
      await assert.rejects(discover(`${remote.url}/`), { status, code: `secsuite.discover.${code}` });
      await remote.quiet();
    }));

  test('inside the house is never asked, whatever its address looks like, and no answer tells what is there', async () => {
    const remote = await answering(whole);
    const site = await aPart(engine);
    const texts = new Set<string>();
    for (const url of [
      remote.url,
      'http://localhost/',
      'http://10.0.0.1:22/',
      'http://0x7f.1/',
      'zzz',
      'ftp://a.test/',
      '',
    ]) {
      const { status, body } = await ask(site, url);
      assert.deepEqual([status, body.code], [502, 'secsuite.discover.cannot-connect'], url);
      texts.add(body.message);
    }
    assert.deepEqual([remote.asked.length, texts.size], [0, 1]);
  });

  test('is looked for by whoever manages the suite alone, who names it', async () => {
    const site = await aPart(engine);
    const { status, body } = await site.as('administrator').post('/api/secsuite/rpc/discover', {});
    assert.deepEqual([status, body.code, body.data.params], [400, 'rest_missing_callback_param', ['url']]);
    const path = '/api/secsuite/rpc/discover';
    const sent = { url: 'http://a.test/' };
    assert.deepEqual(
      [(await site.post(path, sent)).status, (await site.as('editor').post(path, sent)).status],
      [401, 403],
    );
  });

  test('may be this very one, wherever that is', async () => {
    const port = await freePort();
    const site = await aPart(engine, { config: { port, host: '127.0.0.1', url: `http://127.0.0.1:${port}` } });
    const { status, body, text } = await ask(site, `http://127.0.0.1:${port}/`);
    // There is no suite in it: this is a part of one.
    assert.deepEqual([status, body.code], [400, 'secsuite.discover.secsuite-index.non-200'], text);
  });
});

test('A link is found by its relation, in whatever form it is written', () => {
  const found: readonly (readonly [string, string | undefined])[] = [
    ['<a>; rel=x', 'a'],
    ['<a>; rel="y x z"', 'a'],
    ['<b>; rel=y, <a>; title="x, y"; REL = "x"', 'a'],
    ['<b>; title="rel=x"; rel=y', undefined],
    ['<b>; xrel=x', undefined],
    ['<b>; rel="xx"', undefined],
    ['a; rel=x', undefined],
    ['', undefined],
  ];
  for (const [header, target] of found) assert.equal(linked(header, 'x'), target, header);
});

test('A header of nothing but beginnings is read in no time', () => {
  for (const one of ['<', '<a>;', '<a>; rel', ';\t', '<a>; rel="x'])
    assert.equal(linked(one.repeat(200_000), 'https://api.w.org/'), undefined);
});
