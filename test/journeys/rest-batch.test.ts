import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { failureOf, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { type Answer, aSite, type Client } from '#test/site.ts';

const path = '/hello/v1/greetings';
const batch = (client: Client, requests: unknown, more: object = {}) =>
  client.post('/api/batch/v1', { requests, ...more });
const every = { validation: 'require-all-validate' };

/** Status, code or text, and headers of each entry. */
const entries = ({ body }: Answer) =>
  body.responses.map((one: Entry | null) => one && [one.status, one.body.code ?? one.body.text, one.headers]);

interface Entry {
  readonly status: number;
  readonly headers: Record<string, string> | [];
  readonly body: Record<string, unknown>;
}

eachEngine('A batch of writes', (engine) => {
  const texts = async (site: Client) =>
    (await site.get(`${greetings}?_fields=text`)).body.map(({ text }: { text: string }) => text);

  test('runs the good entries in order and gives the bad ones their error', async () => {
    const site = await aSite(engine);
    const answer = await batch(site.as('administrator'), [
      { path, body: { text: 'one' } },
      { path, body: { text: 'two', mood: 'odd' } },
      { path: `${path}/1`, method: 'PATCH', body: { text: 'one, changed' } },
    ]);
    assert.equal(answer.status, 207);
    assert.deepEqual(entries(answer), [
      [201, 'one', { Location: `http://site.test${greetings}/1`, Allow: 'GET, POST' }],
      [400, 'rest_invalid_param', { Allow: 'GET, POST' }],
      [200, 'one, changed', { Allow: 'GET, POST, PUT, PATCH, DELETE' }],
    ]);
    assert.deepEqual(await texts(site), ['one, changed']);
  });

  test('runs nothing when all must be valid and one is not', async () => {
    const site = await aSite(engine);
    const requests = [
      { path, body: { text: 'one' } },
      { path, body: {} },
      { path: `${path}/1`, method: 'DELETE' },
    ];
    const answer = await batch(site.as('administrator'), requests, every);
    assert.deepEqual([answer.status, answer.body.failed], [207, 'validation']);
    assert.deepEqual(entries(answer), [
      null,
      [400, 'rest_missing_callback_param', []],
      [400, 'rest_batch_not_allowed', []],
    ]);
    assert.deepEqual(await texts(site), []);
  });

  test('runs all when all are valid; permission is no matter of validation', async () => {
    const site = await aSite(engine);
    const requests = [
      { path, body: { text: 'one' } },
      { path: `${path}/1`, body: { text: 'changed' } },
    ];
    assert.deepEqual(entries(await batch(site.as('subscriber'), requests, every)), [
      [403, 'rest_cannot_create', { Allow: 'GET' }],
      [404, 'hello_invalid_id', []],
    ]);
    const answer = await batch(site.as('editor'), requests, every);
    assert.deepEqual(Object.keys(answer.body), ['responses']);
    assert.deepEqual(await texts(site), ['changed']);
  });

  test('is no transaction: what failed undoes nothing', async () => {
    const site = await aSite(engine);
    const answer = await batch(site.as('editor'), [
      { path, body: { text: 'kept' } },
      { path, body: { text: 'lost', in_reply_to: 99 } },
      { path, body: { text: 'reply', in_reply_to: 1 } },
    ]);
    assert.deepEqual(
      entries(answer).map(([status]: [number]) => status),
      [201, 404, 201],
    );
    assert.deepEqual(await texts(site), ['reply', 'kept']);
  });
});

describe('An entry of a batch', () => {
  const engine = testEngine('sqlite');
  const one = async (entry: object, role = 'administrator') => {
    const site = await aSite(engine, withProbe());
    await site.as('administrator').post(greetings, { text: 'first' });
    return entries(await batch(site.as(role), [entry]))[0];
  };

  test('may bring a query, which is weaker than its body', async () => {
    const [status, text] = await one({ path: `${path}?text=query&mood=calm`, body: { text: 'body' } });
    assert.deepEqual([status, text], [201, 'body']);
    const site = await aSite(engine);
    const { body } = await batch(site.as('editor'), [{ path: `${path}?_fields=id,text`, body: { text: 'x' } }]);
    assert.deepEqual(body.responses[0].body, { id: 1, text: 'x' });
  });

  test('may say null for what it leaves alone', async () => {
    const [status, text] = await one({ path: `${path}/1`, body: { text: null, mood: null } });
    assert.deepEqual([status, text], [200, 'first']);
  });

  test('is a POST unless it says so, and stays what it is', async () => {
    assert.equal((await one({ path: `${path}/1`, body: { text: 'a' } }))[0], 200);
    assert.equal((await one({ path: `${path}/1`, method: 'PUT', body: { text: 'a' } }))[0], 200);
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-List': ['a', 'b'], 'X-Number': 5 };
    assert.deepEqual((await one({ path: `${path}/1`, headers, body: { text: 'a' } })).slice(0, 2), [200, 'a']);
    assert.deepEqual((await one({ path: `${path}/1?_method=DELETE`, body: { text: 'a' } })).slice(0, 2), [200, 'a']);
  });

  test('is refused where its route takes no batch, itself included', async () => {
    const refused = 'rest_batch_not_allowed';
    const all = 'GET, POST, PUT, PATCH, DELETE';
    assert.deepEqual(await one({ path: `${path}/1`, method: 'DELETE' }), [400, refused, { Allow: all }]);
    assert.deepEqual(await one({ path: '/batch/v1', body: { requests: [] } }), [400, refused, { Allow: 'POST' }]);
  });

  test('is refused where there is no such route', async () => {
    for (const unknown of ['/hello/v1/nope', `/api${path}`, `/wp-json${path}`, `${path}/abc`, `/${path}`]) {
      assert.deepEqual(await one({ path: unknown }), [404, 'rest_no_route', []], unknown);
    }
    assert.deepEqual(await one({ path: `${path}`, method: 'DELETE' }), [404, 'rest_no_route', []]);
  });

  test('is refused where its path is none', async () => {
    for (const odd of ['http:///x', '', 'hello/v1/greetings', '?a=b']) {
      assert.deepEqual(await one({ path: odd }), [400, 'parse_path_failed', []], odd);
    }
  });

  test('may spell names as either face does, and is answered as the batch was asked', async () => {
    const site = await aSite(engine, withProbe());
    const requests = ['/core/v2/things/all', '/wp/v2/things/all', '/WP/V2/things/all'].map((path) => ({ path }));
    for (const root of ['/api', '/wp-json']) {
      const { body } = await site.post(`${root}/batch/v1`, { requests });
      for (const one of body.responses) assert.deepEqual(one.body, { touched: 3 });
    }
    const answer = await site.as('editor').post('/wp-json/batch/v1', { requests: [{ path, body: { text: 'x' } }] });
    assert.equal(entries(answer)[0][2].Location, 'http://site.test/wp-json/hello/v1/greetings/1');
  });

  test('brings no credentials of its own', async () => {
    const site = await aSite(engine, withProbe());
    const headers = { ...(await site.credentials('administrator')), Cookie: 'site_session=1', 'X-WP-Nonce': 'x' };
    const refused = await batch(site.as('subscriber'), [{ path, headers, body: { text: 'a' } }]);
    assert.equal(refused.body.responses[0].status, 403);
    const own = { ...headers, 'X-HTTP-Method-Override': 'PUT', 'X-List': ['a', 'b'], 'X-One': 'c' };
    const { body } = await batch(site.as('editor'), [{ path: '/probe/v1/half-hidden', headers: own }]);
    assert.deepEqual(body.responses[0].body.headers, { 'x-list': 'a, b', 'x-one': 'c' }, 'nor those of the batch');
  });

  test('embeds nothing and has no envelope of its own', async () => {
    const site = await aSite(engine);
    const { body } = await batch(site.as('editor'), [{ path: `${path}?_embed=1&_envelope`, body: { text: 'x' } }]);
    assert.deepEqual([body.responses[0].status, '_embedded' in body.responses[0].body], [201, false]);
  });

  test('that crashes disturbs none of its neighbours', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await batch(site, [
      { path: '/probe/v1/red' },
      { path: '/probe/v1/broken' },
      { path: '/probe/v1/broken', method: 'PUT' },
      { path: '/probe/v1/blue' },
    ]);
    const [first, broken, besideBroken, last] = body.responses;
    assert.deepEqual([first.status, last.status], [200, 200]);
    assert.deepEqual([broken.status, broken.body.code], [500, 'rest_internal_error']);
    assert.deepEqual([besideBroken.status, besideBroken.body.code], [400, 'rest_missing_callback_param']);
    assert.doesNotMatch(JSON.stringify(body), /swordfish/);
  });
});

describe('The batch itself', () => {
  const engine = testEngine('sqlite');
  const refusal = async (body: object) => {
    const site = await aSite(engine);
    const answer = await site.as('administrator').post('/api/batch/v1', body);
    return [answer.status, answer.body.code, answer.body.data?.details?.requests?.code ?? answer.body.data?.params];
  };
  const of = (count: number) => ({ requests: Array.from({ length: count }, () => ({ path: '/nope' })) });

  test('takes at most 25 entries, and none', async () => {
    assert.deepEqual(await refusal(of(26)), [400, 'rest_invalid_param', 'rest_too_many_items']);
    const site = await aSite(engine);
    assert.equal((await site.post('/api/batch/v1', of(25))).body.responses.length, 25);
    const empty = await site.post('/api/batch/v1', of(0));
    assert.deepEqual([empty.status, empty.body], [207, { responses: [] }]);
  });

  test('is refused as any bad request is', async () => {
    const missing = ['requests'];
    assert.deepEqual(await refusal({}), [400, 'rest_missing_callback_param', missing]);
    const refused = (code: string) => [400, 'rest_invalid_param', code];
    assert.deepEqual(await refusal({ requests: [{ body: {} }] }), refused('rest_property_required'));
    assert.deepEqual(await refusal({ requests: [{ method: 'GET', path }] }), refused('rest_not_in_enum'));
    assert.deepEqual(await refusal({ requests: ['x'] }), refused('rest_invalid_type'));
    const site = await aSite(engine);
    const { body } = await site.post('/api/batch/v1', { validation: 'zzz', requests: [] });
    assert.equal(body.data.details.validation.code, 'rest_not_in_enum');
    assert.match(
      (await site.post('/api/batch/v1', { requests: [{ method: 'GET', path }] })).text,
      /requests\[0\]\[method\]/,
    );
  });

  test('ignores what an entry says beside', async () => {
    const site = await aSite(engine);
    const answer = await batch(site.as('editor'), [{ path, zzz: 1, body: { text: 'x' } }]);
    assert.equal(entries(answer)[0][0], 201);
  });

  test('may come as a form', async () => {
    const site = await aSite(engine);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `requests[0][path]=${path}&requests[0][body][text]=a&requests[1][path]=/nope&validation=normal`;
    const answer = await site.as('editor').post('/api/batch/v1', body, form);
    assert.deepEqual(
      entries(answer).map(([status]: [number]) => status),
      [201, 404],
    );
  });

  test('answers each entry for the caller of the whole', async () => {
    const site = await aSite(engine);
    const answer = await batch(site, [{ path, body: { text: 'x' } }]);
    assert.deepEqual(entries(answer), [[401, 'rest_cannot_create', { Allow: 'GET' }]]);
    assert.equal(answer.headers.get('cache-control'), null);
    assert.match((await batch(site.as('editor'), [])).headers.get('cache-control') ?? '', /no-store/);
  });

  test('is no GET', async () => {
    const site = await aSite(engine);
    assert.equal(failureOf(await site.get('/api/batch/v1')) && (await site.get('/api/batch/v1')).status, 404);
  });

  test('describes itself as recorded', async () => {
    const file = new URL('../spec/recorded/batch.json', import.meta.url);
    const [recorded] = JSON.parse(readFileSync(file, 'utf8')).exchanges;
    const site = await aSite(engine);
    const { body, headers } = await site.options('/wp-json/batch/v1');
    assert.equal(headers.get('allow'), 'POST');
    const contract = JSON.stringify(recorded.response.body).replaceAll('"properties":[],', '');
    assert.deepEqual(
      body,
      JSON.parse(contract),
      'but for the empty lists of properties, which the contract leaves out',
    );
  });
});
