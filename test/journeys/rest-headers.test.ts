import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { type Answer, aSite, noon, type TestSite } from '#test/site.ts';

const uncached = 'no-cache, must-revalidate, max-age=0, no-store, private';
const always = {
  'content-type': 'application/json; charset=UTF-8',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, X-HTTP-Method-Override',
};

for (const [face, root] of [
  ['neutral', '/api'],
  ['classic', '/wp-json'],
] as const) {
  describe(`Headers on the ${face} face`, () => {
    const engine = testEngine('sqlite');
    const hello = `${root}/hello/v1/greetings`;

    test('that every answer carries are in every answer', async () => {
      const site = await aSite(engine, withProbe());
      await greet(site, 'hello');
      for (const [what, answer] of Object.entries(await allSorts(site, root))) {
        for (const [name, value] of Object.entries(always)) assert.equal(answer.headers.get(name), value, what);
        assert.match(answer.headers.get('vary') ?? '', /^Origin(?:, Accept-Encoding)?$/, what);
        assert.equal(answer.headers.get('link'), `<http://site.test${root}/>; rel="https://api.w.org/"`, what);
      }
    });

    test('Link of a collection replaces the discovery link; without neighbours that one stays', async () => {
      const site = await aSite(engine);
      for (const text of ['one', 'two']) await greet(site, text);
      const link = async (query: string) => (await site.get(`${hello}${query}`)).headers.get('link');
      assert.equal(await link('?per_page=1'), `<http://site.test${hello}?per_page=1&page=2>; rel="next"`);
      assert.equal(await link(''), `<http://site.test${root}/>; rel="https://api.w.org/"`);
    });

    test('Location is the address of what was made', async () => {
      const site = await aSite(engine);
      const { status, headers } = await site.as('administrator').post(hello, { text: 'x' });
      assert.deepEqual([status, headers.get('location')], [201, `http://site.test${hello}/1`]);
    });
  });
}

async function allSorts(site: TestSite, root: string): Promise<Record<string, Answer>> {
  const hello = `${root}/hello/v1/greetings`;
  return {
    index: await site.get(`${root}/`),
    kept: await site.get(`${root}/`),
    record: await site.get(`${hello}/1`),
    'to a known caller': await site.as('administrator').get(`${hello}/1`),
    options: await site.options(hello),
    'options of nothing': await site.options(`${root}/nope`),
    'no route': await site.get(`${root}/nope`),
    'bad argument': await site.get(`${hello}?page=0`),
    refusal: await site.post(hello, { text: 'x' }),
    crash: await site.get(`${root}/probe/v1/crash`),
    'too large': await site.post(`${root}/probe/v1/small`, { word: 'x'.repeat(200) }),
    envelope: await site.get(`${hello}?_envelope`),
  };
}

describe('Allow', () => {
  const engine = testEngine('sqlite');

  test('lists what this caller may do here, in the order of the routes', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'hello');
    const allow = async (role: string | undefined, path: string) =>
      (await (role === undefined ? site : site.as(role)).get(path)).headers.get('allow');
    assert.equal(await allow(undefined, greetings), 'GET');
    assert.equal(await allow('administrator', greetings), 'GET, POST');
    assert.equal(await allow(undefined, `${greetings}/${id}`), 'GET');
    assert.equal(await allow('administrator', `${greetings}/${id}`), 'GET, POST, PUT, PATCH, DELETE');
    assert.equal(await allow('editor', `${greetings}/${id}`), 'GET', 'somebody else’s');
  });

  test('stands in refusals of a matched route, and is absent when nothing is allowed or nothing matched', async () => {
    const site = await aSite(engine, withProbe());
    const allow = ({ headers }: Answer) => headers.get('allow');
    assert.equal(allow(await site.get(`${greetings}?page=0`)), 'GET');
    assert.equal(allow(await site.post(greetings, '{x', { 'content-type': 'application/json' })), 'GET');
    assert.equal(allow(await site.post(greetings, { text: 'x' })), 'GET');
    assert.equal(allow(await site.get(`${greetings}/99`)), null);
    assert.equal(allow(await site.get('/api/probe/v1/elsewhere')), 'GET', 'refused, whoever is to blame');
    assert.equal(allow(await site.get('/api/nope')), null);
    for (const broken of ['crash', 'away', 'full'])
      assert.equal(allow(await site.get(`/api/probe/v1/${broken}`)), null, 'what is broken is asked for nothing more');
    assert.equal(allow(await site.get('/api/probe/v1/guarded')), null);
    assert.equal(allow(await site.put('/api/core/v2/things/1')), null, 'a method it lacks is no match');
  });
});

describe('Shelves on the way', () => {
  const engine = testEngine('sqlite');

  test('keep no answer to a known caller, whatever it is', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const asked = [
      await admin.get(greetings),
      await admin.post(greetings, { text: 'x' }),
      await admin.get('/api/nope'),
      await admin.get(`${greetings}?page=0`),
      await admin.options(greetings),
      await admin.get('/wp-json/'),
    ];
    for (const { headers } of asked) {
      assert.equal(headers.get('cache-control'), uncached);
      assert.ok(Date.parse(headers.get('expires') ?? '') < noon.getTime());
      assert.equal(headers.get('etag'), null);
    }
  });

  test('may keep answers to nobody', async () => {
    const site = await aSite(engine);
    const { headers } = await site.get(greetings);
    assert.deepEqual([headers.get('cache-control'), headers.get('expires')], [null, null]);
  });
});

describe('Other origins', () => {
  const engine = testEngine('sqlite');
  const cors = ({ headers }: Answer) =>
    ['origin', 'methods', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));

  test('are answered by name, kept answer or not, on errors and on what asks ahead', async () => {
    const site = await aSite(engine);
    for (const origin of ['http://other.test', 'https://other.test:8443']) {
      const wanted = [origin, 'OPTIONS, GET, POST, PUT, PATCH, DELETE', 'true'];
      assert.deepEqual(cors(await site.get(greetings, { origin })), wanted);
      assert.deepEqual(cors(await site.get(greetings, { origin })), wanted);
      assert.deepEqual(cors(await site.get('/api/nope', { origin })), wanted);
      assert.deepEqual(cors(await site.as('administrator').get(greetings, { origin })), wanted);
      assert.deepEqual(
        cors(await site.options(greetings, { origin, 'access-control-request-method': 'POST' })),
        wanted,
      );
    }
    assert.deepEqual(cors(await site.get(greetings)), [null, null, null], 'no origin, no word of it');
  });

  test('that are no web pages are not', async () => {
    const site = await aSite(engine);
    for (const origin of ['null', 'file://', 'chrome-extension://abc', 'http://', 'javascript:alert(1)']) {
      assert.deepEqual(cors(await site.get(greetings, { origin })), [null, null, null], origin);
    }
  });
});
