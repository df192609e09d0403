import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Busy, Crossed, OutOfSpace, Unavailable } from '#lib/failures.ts';
import { type Caller, nobody } from './caller.ts';
import { denied, Problem } from './problem.ts';
import { refuse } from './refusal.ts';
import { noSources, type Request } from './request.ts';
import { routeMaker } from './route.ts';

const somebody: Caller = { id: 1, can: () => false };
const request: Request = {
  id: 'request-1',
  face: 'neutral',
  method: 'GET',
  path: '/',
  query: '',
  headers: {},
  address: '',
  sources: async () => noSources,
};
const answered = (error: unknown, caller = nobody, failure?: () => Record<string, unknown>) => {
  const reported: unknown[] = [];
  const envelope = failure && { success: (body: unknown) => body, failure };
  const route = routeMaker()({ method: 'GET', path: 'x', summary: '', access: 'public', handle: () => ({}), envelope });
  const reply = refuse((one) => reported.push(one), request, error, caller, route);
  return { ...reply, body: reply.body as Record<string, unknown>, reported };
};

test('a refusal says its code, its sentence and its status, and nobody is told of it', () => {
  const { status, body, known, reported } = answered(new Problem(404, 'none', 'There is none.', { id: 5 }));
  assert.deepEqual([status, known, reported], [404, false, []]);
  assert.deepEqual(body, { code: 'none', message: 'There is none.', data: { status: 404, id: 5 } });
});

test('a refusal that stands for a bug is told as it says, and the bug is written down', () => {
  const bug = new TypeError('secret is not a function');
  const refusal = new Problem(500, 'broken', 'It failed.', {}, { cause: bug });
  const { body, reported } = answered(refusal);
  assert.deepEqual(reported, [bug]);
  assert.deepEqual(body, { code: 'broken', message: 'It failed.', data: { status: 500 } });
  assert.deepEqual(answered(new Problem(400, 'broken_off', 'It ended.', {}, { cause: bug })).reported, []);
});

test('details cannot say another status than the answer’s own', () => {
  assert.deepEqual(answered(new Problem(409, 'x', 'X.', { status: 'publish', id: 5 })).body.data, {
    status: 409,
    id: 5,
  });
});

test('denied is 401 for nobody and 403 for somebody', () => {
  const error = denied('not_yours', 'It is not yours.');
  assert.deepEqual([answered(error).status, answered(error).body.data], [401, { status: 401 }]);
  const known = answered(error, somebody);
  assert.deepEqual([known.status, known.body.data, known.known], [403, { status: 403 }, true]);
});

test('what was not meant is written down and told to nobody', () => {
  const bug = new TypeError('secret is not a function');
  for (const thrown of [bug, 'text', undefined, null, { code: 'fake', status: 200 }]) {
    const { status, body, reported } = answered(thrown);
    assert.deepEqual(
      [status, body.code, body.data],
      [500, 'rest_internal_error', { status: 500, reference: 'request-1' }],
    );
    assert.deepEqual(reported, [thrown]);
    assert.doesNotMatch(JSON.stringify(body), /secret|fake/);
  }
});

test('a store that is away, busy or full is told plainly', () => {
  const away = answered(new Unavailable('10.1.2.3 refused', { retryAfter: 7 }));
  assert.deepEqual([away.status, away.headers, away.body.code], [503, { 'Retry-After': '7' }, 'storage_unavailable']);
  const busy = answered(new Busy('All 10 connections of a pool were in use for 30 seconds.'));
  assert.deepEqual([busy.status, busy.headers, busy.body.code], [503, { 'Retry-After': '5' }, 'rest_too_busy']);
  assert.equal(busy.body.message, 'The database is busy. Try again in 5 seconds.');
  const crossed = answered(new Crossed());
  assert.deepEqual([crossed.status, crossed.headers], [503, { 'Retry-After': '1' }]);
  assert.match(String(crossed.body.message), /nothing was changed/);
  const full = answered(new OutOfSpace('/dev/sda1'));
  assert.deepEqual([full.status, full.body.code], [507, 'storage_full']);
  assert.doesNotMatch(JSON.stringify([away.body, full.body]), /10\.1|sda/);
});

test('a family’s envelope adds to an error and replaces nothing of it', () => {
  const failure = () => ({ kind: 'family', code: 'theirs', success: true, data: { status: 200, more: 1 } });
  const { body } = answered(new Problem(404, 'none', 'There is none.', { id: 5 }), nobody, failure);
  assert.deepEqual(body, {
    kind: 'family',
    success: false,
    code: 'none',
    message: 'There is none.',
    data: { status: 404, id: 5, more: 1 },
  });
});
