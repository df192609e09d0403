import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { withProbe } from '#test/probe.ts';
import { testRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';

const echo = '/api/probe/v1/echo';
const json = 'application/json';
const filled = { filled: 7, loose: '5' };
const typed = (type: string) => ({ 'content-type': type });

describe('JSON bodies', () => {
  const engine = testEngine('sqlite');

  test('are read for application/json and its kin, whatever the parameters and the method', async () => {
    const site = await aSite(engine, withProbe());
    for (const type of [json, 'application/json; charset=utf-8', 'application/ld+json', 'Application/JSON;x=y']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { body } = await site.request(method, echo, { body: '{"word":"a"}', headers: typed(type) });
        assert.deepEqual(body, { ...filled, word: 'a' }, `${method} ${type}`);
      }
    }
    for (const type of ['text/json', 'application/jsonx', 'application/xml', 'application/x+jsonp']) {
      assert.deepEqual((await site.post(echo, '{"word":"a"}', typed(type))).body, filled, type);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status, body } = await site.post(echo, '{"word":"a"}', typed(type));
      assert.deepEqual([status, body.code], [400, 'empty_content'], type);
    }
  });

  test('bring arguments only as an object; anything else, or nothing, brings none', async () => {
    const site = await aSite(engine, withProbe());
    for (const body of ['5', '"word"', '[1]', 'null', 'true', '', '{}']) {
      assert.deepEqual((await site.post(echo, body, typed(json))).body, filled, body);
    }
  });

  const broken: [string, string | Uint8Array, number][] = [
    ['a syntax error', '{"word": ', 4],
    ['white space alone', '  ', 4],
    ['bytes that are no UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0x22]), 5],
    ['600 levels', '['.repeat(600) + ']'.repeat(600), 1],
    ['100 000 levels', '['.repeat(100_000), 1],
  ];
  const shared = engine.shared(() => aSite(engine, withProbe()));
  testRows('in JSON that cannot be read are refused with a json_error_code', broken, async ([, body, code]) => {
    const site = await shared();
    const answer = await site.post(echo, body, typed(json));
    assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_json']);
    const { json_error_message, ...data } = answer.body.data;
    assert.deepEqual(data, { status: 400, json_error_code: code });
    assert.equal(typeof json_error_message, 'string');
    assert.equal(answer.headers.get('allow'), 'GET, POST, PUT, PATCH, DELETE');
  });

  test('512 levels are read', async () => {
    const site = await aSite(engine, withProbe());
    const deep = `{"word":"a","other":${'['.repeat(511)}${']'.repeat(511)}}`;
    assert.equal((await site.post(echo, deep, typed(json))).body.word, 'a');
  });

  test('are read with GET too, where few clients send them', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual(await got(site, '{"word":"a"}'), [200, { ...filled, word: 'a' }]);
    const [status, body] = await got(site, '{x');
    assert.deepEqual([status, (body as { code: string }).code], [400, 'rest_invalid_json']);
  });

  test('a broken one is refused after the route is found and before permission is asked', async () => {
    const site = await aSite(engine, withProbe());
    assert.equal((await site.post('/api/nope', '{x', typed(json))).body.code, 'rest_no_route');
    assert.equal((await site.post('/api/probe/v1/passes', '{x', typed(json))).body.code, 'rest_invalid_json');
    assert.equal((await site.post('/api/hello/v1/greetings', '{x', typed(json))).body.code, 'rest_invalid_json');
  });
});

/** `fetch` sends no body with GET. */
async function got(site: TestSite, body: string, type = json): Promise<[number | undefined, unknown]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, unknown]>();
  const headers = { ...typed(type), 'content-length': Buffer.byteLength(body) };
  request(`${site.origin}${echo}`, { headers }, async (response) => {
    const text = Buffer.concat(await response.toArray()).toString();
    resolve([response.statusCode, JSON.parse(text)]);
  })
    .on('error', reject)
    .end(body);
  return promise;
}

describe('Form bodies', () => {
  const engine = testEngine('sqlite');
  const form = 'application/x-www-form-urlencoded';

  test('are read for their type with POST, PUT, PATCH and DELETE', async () => {
    const site = await aSite(engine, withProbe());
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { body } = await site.request(method, echo, { body: 'word=a+b&list[]=x', headers: typed(form) });
      assert.deepEqual(body, { ...filled, word: 'a b', list: ['x'] }, method);
    }
  });

  test('without a type are read with PUT, PATCH and DELETE alone', async () => {
    const site = await aSite(engine, withProbe());
    const bare = Buffer.from('word=a');
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      assert.deepEqual((await site.request(method, echo, { body: bare })).body, { ...filled, word: 'a' }, method);
    }
    assert.deepEqual((await site.request('POST', echo, { body: bare })).body, filled);
  });

  test('are not read with GET', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual(await got(site, 'word=a', form), [200, filled]);
  });

  test('of several parts bring their fields and leave their files alone', async () => {
    const site = await aSite(engine, withProbe());
    const parts = new FormData();
    parts.append('word', 'ä & b');
    parts.append('list[]', 'x');
    parts.append('list[]', 'y');
    parts.append('tree[a][b]', '1');
    parts.append('number', new Blob(['42']), 'number.txt');
    const body = await multipart(site, parts);
    assert.deepEqual(body, { ...filled, word: 'ä & b', list: ['x', 'y'], tree: { a: { b: '1' } } });
  });

  test('of several parts hold no more than 1000 fields', async () => {
    const site = await aSite(engine, withProbe());
    const parts = new FormData();
    for (let at = 0; at < 1001; at++) parts.append(`k${at}`, '1');
    assert.equal((await multipart(site, parts)).code, 'rest_invalid_param');
  });

  test('of several parts that end too early are refused', async () => {
    const site = await aSite(engine, withProbe());
    const cut = '--edge\r\nContent-Disposition: form-data; name="word"\r\n\r\nhal';
    for (const type of ['multipart/form-data; boundary=edge', 'multipart/form-data']) {
      const { status, body } = await site.post(echo, cut, typed(type));
      assert.deepEqual([status, body.code, body.data], [400, 'rest_body_incomplete', { status: 400 }], type);
    }
  });
});

/** `fetch` chooses the boundary, so the type is its own. */
async function multipart(site: TestSite, body: FormData): Promise<Record<string, unknown>> {
  const response = await fetch(`${site.origin}${echo}`, { method: 'POST', body });
  return (await response.json()) as Record<string, unknown>;
}

describe('Bodies that are too large', () => {
  const engine = testEngine('sqlite');

  test('are refused with 413, whatever their kind, and whether they say how long they are or not', async () => {
    const site = await aSite(engine, withProbe({ env: { GATEHOUSE_BODY_LIMIT: '2000' } }));
    const form = 'application/x-www-form-urlencoded';
    const fits = `word=${'x'.repeat(1995)}`;
    assert.equal((await site.post(echo, fits, typed(form))).status, 200);
    const parts = 'multipart/form-data; boundary=edge';
    const part = `--edge\r\nContent-Disposition: form-data; name="word"\r\n\r\n${'x'.repeat(2000)}\r\n--edge--\r\n`;
    const asked = [
      await site.post(echo, `${fits}x`, typed(form)),
      await site.post(echo, JSON.stringify({ word: 'x'.repeat(1990) }), typed(json)),
      await site.post(echo, part, typed(parts)),
      await chunked(site, `${fits}x`, form),
    ];
    for (const { status, body } of asked) {
      assert.deepEqual([status, body.code, body.data], [413, 'rest_body_too_large', { status: 413 }]);
    }
  });

  test('count by the route’s own limit where it has one', async () => {
    const site = await aSite(engine, withProbe());
    assert.equal((await site.post('/api/probe/v1/small', { word: 'x'.repeat(80) })).status, 200);
    assert.equal((await site.post('/api/probe/v1/small', { word: 'x'.repeat(90) })).status, 413);
  });

  test('leave the server well', async () => {
    const site = await aSite(engine, withProbe({ env: { GATEHOUSE_BODY_LIMIT: '2000' } }));
    await Promise.all(Array.from({ length: 8 }, () => site.post(echo, { word: 'x'.repeat(200_000) }).catch(() => {})));
    assert.equal((await site.get(echo)).status, 200);
  });

  test('a compressed body is refused rather than taken for text', async () => {
    const site = await aSite(engine, withProbe());
    const { status, body } = await site.post(echo, Buffer.from([31, 139, 8]), {
      ...typed(json),
      'content-encoding': 'gzip',
    });
    assert.deepEqual([status, body.code], [415, 'rest_unsupported_encoding']);
  });
});

async function chunked(site: TestSite, text: string, type: string) {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 1000)));
      controller.enqueue(Buffer.from(text.slice(1000)));
      controller.close();
    },
  });
  const options = { method: 'POST', body, headers: typed(type), duplex: 'half' } as RequestInit;
  const response = await fetch(`${site.origin}${echo}`, options);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
