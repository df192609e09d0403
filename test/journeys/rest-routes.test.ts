import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { failureOf } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const probe = '/api/probe/v1';
const json = { 'content-type': 'application/json' };

describe('A payload', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('with members is settled as arguments are, from the same sources, and not in the index', async () => {
    const site = await probed();
    const post = async (body: unknown, query = '') => (await site.post(`${probe}/members${query}`, body)).body;
    assert.deepEqual(await post({ word: 'a', number: '5' }), { payload: { word: 'a', number: 5 } });
    assert.deepEqual(await post({ word: 'a', stranger: 1 }), { payload: { word: 'a', number: 2 } });
    assert.deepEqual(await post({ number: null }, '?word=query'), { payload: { word: 'query', number: 2 } });
    assert.deepEqual((await post({})).data, { status: 400, params: ['word'] });
    assert.deepEqual(Object.keys((await post({ word: 5, number: 'x' })).data.details), ['word', 'number']);
    const { routes } = (await site.get(`${probe}`)).body;
    assert.deepEqual(routes['/probe/v1/members'].endpoints[0].args, []);
  });

  test('that is a list is the whole body, and nothing else will do', async () => {
    const site = await probed();
    const post = (body: string) => site.post(`${probe}/list`, body, json);
    assert.deepEqual((await post('[1,"2",3.0]')).body, { payload: [1, 2, 3] });
    assert.deepEqual((await post('[]')).body, { payload: [] });
    const { status, body } = await post('[1,"x"]');
    assert.deepEqual(
      [status, body.code, Object.keys(body.data)],
      [400, 'rest_invalid_param', ['status', 'params', 'details']],
    );
    assert.deepEqual(body.data.details.body.code, 'rest_invalid_type');
    for (const odd of ['{"a":1}', 'null', '']) assert.equal((await post(odd)).status, 400, odd || 'nothing');
  });

  test('of any shape is what was sent', async () => {
    const site = await probed();
    for (const sent of ['{"a":[1,{"b":null}]}', '[1]', '5', '"text"', 'null', 'false']) {
      assert.deepEqual((await site.post(`${probe}/document`, sent, json)).body, { payload: JSON.parse(sent) }, sent);
    }
    assert.deepEqual((await site.post(`${probe}/document`, '{"__proto__":{"x":1}}', json)).body, { payload: {} });
  });
});

describe('An envelope of its family', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('wraps what succeeds', async () => {
    const site = await probed();
    assert.deepEqual((await site.get(`${probe}/enveloped?number=2`)).body, { success: true, data: { number: 2 } });
  });

  test('wraps whatever fails, the kernel’s own refusals included, around the ordinary error', async () => {
    const site = await probed();
    const asked = {
      rest_missing_callback_param: await site.get(`${probe}/enveloped`),
      rest_invalid_param: await site.get(`${probe}/enveloped?number=x`),
      rest_invalid_json: await site.post(`${probe}/enveloped`, '{x', json),
      probe_denied: await site.get(`${probe}/enveloped?number=1`),
      rest_internal_error: await site.get(`${probe}/enveloped?number=0`),
    };
    for (const [code, { status, body }] of Object.entries(asked)) {
      const { success, kind, message, data } = body;
      assert.deepEqual([success, body.code, kind, typeof message], [false, code, 'probe', 'string']);
      assert.equal(data.status, status);
    }
    assert.deepEqual(asked.rest_missing_callback_param.body.data.params, ['number']);
    assert.ok(asked.rest_internal_error.body.data.reference);
  });
});

describe('Access', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('that comes first refuses before arguments are looked at', async () => {
    const site = await probed();
    for (const path of ['guarded', 'guarded?number=x', 'guarded?number=1']) {
      const refused = { status: 401, code: 'rest_forbidden', data: { status: 401 } };
      assert.deepEqual(failureOf(await site.get(`${probe}/${path}`)), refused, path);
    }
  });

  test('that comes first is asked for again once the arguments are known', async () => {
    const site = await probed();
    const somebody = site.as('subscriber');
    assert.equal((await site.get(`${probe}/guarded-twice?number=x`)).status, 401);
    assert.equal((await somebody.get(`${probe}/guarded-twice?number=x`)).status, 400);
    assert.equal((await somebody.get(`${probe}/guarded-twice?number=13`)).body.code, 'probe_13');
    assert.deepEqual((await somebody.get(`${probe}/guarded-twice?number=12`)).body, { number: 12 });
  });

  test('by a token of the route is judged by the route inside a batch too', async () => {
    const site = await probed();
    const requests = [{ path: '/probe/v1/keyed' }, { path: '/probe/v1/keyed', headers: { 'X-Probe-Key': 'sesame' } }];
    const { body } = await site.as('administrator').post('/api/batch/v1', { requests });
    assert.deepEqual(
      body.responses.map(({ status }: { status: number }) => status),
      [401, 200],
    );
  });

  test('by a token of the route is judged by the route, whatever the site’s credentials say', async () => {
    const site = await probed();
    const key = { 'x-probe-key': 'sesame' };
    assert.deepEqual((await site.post(`${probe}/keyed`, {}, key)).body, { id: 99 });
    assert.equal((await site.post(`${probe}/keyed`, {})).status, 401);
    assert.equal((await site.as('administrator').post(`${probe}/keyed`, {})).status, 401);
    const wrong = { ...key, authorization: `Basic ${Buffer.from('stranger:x').toString('base64')}` };
    assert.equal((await site.post(`${probe}/keyed`, {}, wrong)).status, 200);
    assert.match((await site.post(`${probe}/keyed`, {}, key)).headers.get('cache-control') ?? '', /no-store/);
  });
});

describe('Answers that are no JSON', () => {
  const engine = testEngine('sqlite');

  test('keep their type and headers, and the headers of the interface', async () => {
    const site = await aSite(engine, withProbe());
    const { text, headers } = await site.get(`${probe}/csv`);
    assert.equal(text, 'a,b\n1,2\n');
    assert.equal(headers.get('content-type'), 'text/csv; charset=UTF-8');
    assert.equal(headers.get('content-disposition'), 'attachment');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('allow'), 'GET');
    assert.ok(headers.get('x-request-id'));
  });
});
