import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onBothStores, testEngine } from '#test/databases.ts';
import { failureOf, greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';

const probe = '/api/probe/v1';

describe('Errors', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('are code, message and data, whose status is the answer’s own and which holds nothing else', async () => {
    const site = await probed();
    await greet(site, 'hello');
    for (const answer of await refusals(site)) {
      assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data']);
      assert.deepEqual(answer.body.data, { status: answer.status });
      assert.ok(answer.body.message.length > 10);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=UTF-8');
    }
  });

  test('what is not allowed is 401 for nobody and 403 for somebody', async () => {
    const site = await probed();
    const { id } = await greet(site, 'hello');
    const edit = `${greetings}/${id}?context=edit`;
    const somebody = site.as('subscriber');
    assert.deepEqual((await site.get(edit)).status, 401);
    assert.deepEqual(failureOf(await somebody.get(edit)), {
      status: 403,
      code: 'rest_forbidden_context',
      data: { status: 403 },
    });
    const without = (await somebody.post(`${probe}/passes`, { first: 1, second: 'a' })).body;
    assert.equal(without.code, 'rest_forbidden', 'a check without a reason of its own has the general code');
  });

  test('several reasons for one refusal are all told, with its headers', async () => {
    const site = await probed();
    const { status, body, headers } = await site.get(`${probe}/several`);
    assert.deepEqual([status, headers.get('x-probe')], [409, 'yes']);
    assert.deepEqual(body, {
      code: 'probe_first',
      message: 'One reason.',
      data: { status: 409, extra: true },
      additional_data: [{ extra: false }],
      additional_errors: [{ code: 'probe_second', message: 'Another reason.', data: { status: 409 } }],
    });
  });

  test('are never thinned out by _fields, nor given embeds', async () => {
    const site = await probed();
    const { body } = await site.get(`${greetings}/99?_fields=code&_embed`);
    assert.deepEqual(Object.keys(body), ['code', 'message', 'data']);
  });
});

async function refusals(site: TestSite): Promise<Answer[]> {
  return [
    await site.get('/api/nope'),
    await site.get(`${greetings}/99`),
    await site.get(`${greetings}?context=edit`),
    await site.post(greetings, { text: 'x' }),
    await site.as('subscriber').delete(`${greetings}/1`),
    await site.post(`${probe}/small`, { word: 'x'.repeat(200) }),
  ];
}

describe('Failures nobody meant', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('a crash is a 500 that says nothing but where to look in the log', async () => {
    const site = await probed();
    const answer = await site.get(`${probe}/crash`);
    const reference = answer.headers.get('x-request-id');
    assert.ok(reference);
    assert.deepEqual(failureOf(answer), {
      status: 500,
      code: 'rest_internal_error',
      data: { status: 500, reference },
    });
    assert.doesNotMatch(answer.text + JSON.stringify([...answer.headers]), /swordfish|\.ts|at /);
    const logged = site.log.lines.filter(({ level }) => level === 'error');
    assert.equal(logged.length, 1);
    const { request, err } = logged[0]!.details as { request: string; err: Error };
    assert.deepEqual([request, err.message], [reference, 'the password is swordfish']);
  });

  test('a store that is away is a 503 that says when to come back', async () => {
    const site = await probed();
    const answer = await site.get(`${probe}/away`);
    assert.deepEqual(failureOf(answer), { status: 503, code: 'storage_unavailable', data: { status: 503 } });
    assert.equal(answer.headers.get('retry-after'), '7');
    assert.doesNotMatch(answer.text, /10\.1\.2\.3/);
  });

  test('a full disk is a 507', async () => {
    const site = await probed();
    const answer = await site.get(`${probe}/full`);
    assert.deepEqual(failureOf(answer), { status: 507, code: 'storage_full', data: { status: 507 } });
    assert.doesNotMatch(answer.text, /sda1/);
  });

  test('none is kept or tagged, and the next request is served', async () => {
    const site = await probed();
    for (const path of ['crash', 'away', 'full']) {
      assert.equal((await site.get(`${probe}/${path}`)).headers.get('etag'), null);
      assert.equal((await site.get(`${probe}/${path}`)).status >= 500, true);
    }
    assert.equal((await site.get(`${probe}/echo`)).status, 200);
  });
});

onBothStores('A store that has gone', (engine) => {
  test('is a 503 for all that needs it, and what needs it not is served', async () => {
    const site = await aSite(engine);
    await site.credentials('editor');
    await site.app.services.store.close();
    const asked = [
      await site.get(greetings),
      await site.as('editor').post(greetings, { text: 'x' }),
      await site.as('editor').get('/api/core/v2/users/me'),
    ];
    for (const answer of asked) {
      assert.deepEqual(failureOf(answer), { status: 503, code: 'storage_unavailable', data: { status: 503 } });
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.equal(answer.headers.get('etag'), null);
    }
    assert.equal((await site.get('/healthz')).status, 200);
    assert.equal((await site.get('/readyz')).status, 503);
  });
});

describe('Request ids', () => {
  const engine = testEngine('sqlite');

  test('are in every answer, kept or not, and never twice', async () => {
    const site = await aSite(engine);
    const ids: (string | null)[] = [];
    for (const path of [greetings, greetings, greetings, '/api/nope', '/wp-json/', '/', '/healthz', '/no/page']) {
      ids.push((await site.get(path)).headers.get('x-request-id'));
    }
    assert.ok(!ids.includes(null), JSON.stringify(ids));
    assert.equal(new Set(ids).size, ids.length);
  });

  test('are ours alone: one that a client sends is not believed', async () => {
    const site = await aSite(engine);
    const { headers } = await site.get(greetings, { 'x-request-id': 'forged' });
    assert.notEqual(headers.get('x-request-id'), 'forged');
  });
});
