import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const things = '/api/core/v2/things';

describe('_envelope', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('puts status and own headers into the body of a 200, numbers as numbers', async () => {
    const site = await probed();
    const { status, body, headers } = await site.get(`${things}?per_page=1&_fields=id&_envelope`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      body: [{ id: 1 }],
      status: 200,
      headers: {
        'X-WP-Total': 3,
        'X-WP-TotalPages': 3,
        Link: '<http://site.test/api/core/v2/things?per_page=1&_fields=id&_envelope&page=2>; rel="next"',
        Allow: 'GET',
      },
    });
    for (const name of ['x-wp-total', 'x-wp-totalpages', 'allow']) assert.equal(headers.get(name), null, name);
    assert.match(headers.get('link') ?? '', /rel="https:\/\/api\.w\.org\/"/);
  });

  test('whatever its value', async () => {
    const site = await probed();
    for (const query of ['_envelope', '_envelope=', '_envelope=1', '_envelope=0', '_envelope=false']) {
      assert.equal((await site.get(`${things}/1?${query}`)).body.status, 200, query);
    }
  });

  test('holds errors too, with an empty list for no headers', async () => {
    const site = await probed();
    const { status, body } = await site.get(`${things}/99?_envelope`);
    assert.deepEqual([status, body.status, body.body.code, body.headers], [200, 404, 'thing_invalid_id', []]);
    const lost = await site.get('/api/nope?_envelope');
    assert.deepEqual([lost.status, lost.body.status, lost.body.headers], [200, 404, []]);
    const denied = await site.post(`${greetings}?_envelope`, { text: 'x' });
    assert.deepEqual([denied.status, denied.body.status, denied.body.headers], [200, 401, { Allow: 'GET' }]);
  });

  test('holds a 201 with its Location', async () => {
    const site = await probed();
    const { status, body } = await site.as('administrator').post(`${greetings}?_envelope`, { text: 'x' });
    assert.deepEqual([status, body.status], [200, 201]);
    assert.deepEqual(body.headers, { Location: 'http://site.test/api/hello/v1/greetings/1', Allow: 'GET, POST' });
  });

  test('works with _embed', async () => {
    const site = await probed();
    const { body } = await site.get(`${things}/1?_envelope=1&_embed=next&_fields=id,_links,_embedded`);
    assert.deepEqual(Object.keys(body.body), ['id', '_links', '_embedded']);
    assert.equal(body.body._embedded.next[0].id, 2);
  });

  test('holds what OPTIONS says, and leaves what is no JSON alone', async () => {
    const site = await probed();
    const { body } = await site.options(`${things}?_envelope`);
    assert.deepEqual([body.status, body.headers, body.body.methods], [200, { Allow: 'GET' }, ['GET']]);
    assert.equal((await site.get('/api/probe/v1/csv?_envelope')).text, 'a,b\n1,2\n');
  });

  test('keeps an answer to a known caller off every shelf', async () => {
    const site = await probed();
    const { headers } = await site.as('administrator').get(`${things}?_envelope`);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  });
});

describe('The shape of JSON', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('_pretty indents and says the same', async () => {
    const site = await probed();
    const plain = await site.get(`${things}/1`);
    for (const query of ['_pretty', '_pretty=1']) {
      const pretty = await site.get(`${things}/1?${query}`);
      assert.deepEqual(pretty.body, plain.body);
      assert.match(pretty.text, /^\{\n {4}"id": 1,\n/);
    }
    assert.doesNotMatch(plain.text, /\n/);
  });

  test('_jsonp is ignored', async () => {
    const site = await probed();
    const { text, headers } = await site.get(`${things}/1?_jsonp=steal`);
    assert.ok(text.startsWith('{"id":1'));
    assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8');
  });

  test('an empty list stands where clients are used to one, and an empty object elsewhere', async () => {
    const site = await probed();
    assert.deepEqual((await site.options('/api/nope')).body, []);
    assert.deepEqual((await site.get(`${things}/1?_fields=zzz`)).body, []);
    assert.deepEqual((await site.get(`${things}/1`)).body.secrets, {});
    const { body } = await site.get('/api/probe/v1');
    assert.deepEqual(body.routes['/probe/v1/csv'].endpoints[0].args, []);
    const insecure = await aSite(engine, { env: { GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'off' } });
    assert.deepEqual((await insecure.get('/api/')).body.authentication, {});
  });

  test('an answer without content is a 204 without a body', async () => {
    const site = await probed();
    const { status, text, headers } = await site.delete('/api/probe/v1/nothing');
    assert.deepEqual([status, text, headers.get('content-length')], [204, '', null]);
    assert.equal(headers.get('allow'), 'DELETE');
  });

  test('what is made or gone need not be a record of a resource', async () => {
    const site = await probed();
    const made = await site.post('/api/probe/v1/plain?_fields=word', {});
    assert.deepEqual([made.status, made.body], [201, { word: 'new' }]);
    const gone = await site.delete('/api/probe/v1/plain');
    assert.deepEqual([gone.status, gone.body], [200, { deleted: true, previous: { id: 5, word: 'old' } }]);
  });

  test('numbers stay numbers and letters stay letters', async () => {
    const site = await probed();
    await greet(site, 'Grüße 🌍 </script> "ü"');
    const { body } = await site.get(`${greetings}/1`);
    assert.deepEqual([body.id, body.author, body.text], [1, 1, 'Grüße 🌍 </script> "ü"']);
  });
});
