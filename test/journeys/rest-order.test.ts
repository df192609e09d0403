import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { failureOf, greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const passes = '/api/probe/v1/passes';
const wrong = { authorization: `Basic ${Buffer.from('stranger:x').toString('base64')}` };

describe('The order of work', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('a wrong credential ends a request before its route is looked for', async () => {
    const site = await probed();
    for (const path of ['/api/nope', '/api/', greetings]) {
      const refused = { status: 401, code: 'incorrect_password', data: { status: 401 } };
      assert.deepEqual(failureOf(await site.get(path, wrong)), refused, path);
    }
  });

  test('missing arguments are all named, before any is judged', async () => {
    const site = await probed();
    assert.deepEqual(failureOf(await site.post(passes, { third: 'x' })), {
      status: 400,
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['first', 'second'] },
    });
  });

  test('bad arguments are named before permission is asked, so that nobody sees them too', async () => {
    const site = await probed();
    const { body } = await site.post(passes, { first: 'x', second: 'c' });
    assert.deepEqual([body.code, body.data.status], ['rest_invalid_param', 400]);
    assert.equal((await site.post(passes, { first: 1, second: 'a' })).status, 401);
    assert.equal((await site.as('subscriber').post(passes, { first: 1, second: 'a' })).status, 403);
  });

  test('the resource’s own 404 comes after validation and before the refusal', async () => {
    const site = await probed();
    const { id } = await greet(site, 'hello');
    assert.equal((await site.patch(`${greetings}/99`, { mood: 'odd' })).body.code, 'rest_invalid_param');
    assert.equal((await site.patch(`${greetings}/99`, { mood: 'calm' })).body.code, 'hello_invalid_id');
    assert.equal((await site.patch(`${greetings}/${id}`, { mood: 'calm' })).body.code, 'rest_cannot_edit');
  });

  test('what is refused leaves no trace', async () => {
    const site = await probed();
    await site.post(greetings, { text: 'from nobody' });
    await site.as('administrator').post(greetings, { text: 'x', mood: 'odd' });
    await site.as('administrator').post(greetings, { text: 'x', in_reply_to: 5 });
    assert.deepEqual((await site.get(greetings)).body, []);
  });
});

describe('Validation in two passes', () => {
  const engine = testEngine('sqlite');
  const named = async (query: string) => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.get(`${passes}?${query}`);
    return Object.keys(body.data?.params ?? {});
  };

  test('the arguments that are checked first are reported together and alone', async () => {
    assert.deepEqual(await named('per_page=abc&page=0&order=x'), ['page', 'per_page']);
    assert.deepEqual(await named('order=x&number=y&context=zzz&search=a'), ['context', 'search']);
    assert.deepEqual(await named('order=x&checked=13'), ['checked']);
  });

  test('only when they pass are the others judged, together too', async () => {
    assert.deepEqual(await named('order=x&number=y&page=1'), ['order', 'number']);
    assert.deepEqual(await named('order=asc&number=5&page=1'), []);
  });

  test('all arguments of a write belong to the first pass', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.post(passes, { first: 'x', second: 'c', third: 'y' });
    assert.deepEqual(Object.keys(body.data.params), ['first', 'second', 'third']);
  });

  test('a refusal gives a text and a reason for each argument', async () => {
    const site = await aSite(engine, withProbe());
    const { status, body } = await site.post(passes, { first: [1], second: 'c' });
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param']);
    const { params, details, ...rest } = body.data;
    assert.deepEqual(rest, { status: 400 });
    for (const name of ['first', 'second']) {
      assert.equal(typeof params[name], 'string');
      assert.equal(details[name].message, params[name]);
    }
    assert.deepEqual([details.first.code, details.first.data], ['rest_invalid_type', { param: 'first' }]);
    assert.deepEqual([details.second.code, details.second.data], ['rest_not_in_enum', null]);
  });

  test('an argument’s own check may refuse without a reason', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.get(`${passes}?checked=13`);
    assert.deepEqual(body.data.details, []);
    assert.equal(typeof body.data.params.checked, 'string');
  });
});
