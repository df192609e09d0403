// What the site says of a caller, as far as the kernel is concerned.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Caller, nobody } from './caller.ts';
import { createKernel } from './kernel.ts';
import { Problem } from './problem.ts';
import { noSources, type Request } from './request.ts';
import { routeMaker } from './route.ts';

const route = routeMaker<undefined>();
const greeter: Caller = { id: 1, can: () => true, credential: 'a badge', headers: { 'X-Token': 'fresh' } };

const { dispatch } = createKernel({
  readReferenceFile: () => assert.fail('no test asks for it'),
  mounts: [
    {
      namespace: 'a/v1',
      use: undefined,
      routes: [
        route({
          method: ['GET', 'POST'],
          path: 'badge',
          summary: 'What let the caller in',
          access: 'public',
          batch: true,
          handle: ({ caller }) => ({ badge: caller.credential ?? null }),
        }),
      ],
    },
  ],
  capabilities: new Set(),
  roots: { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' },
  bodyLimit: 1_000,
  version: '0',
  facts: () => assert.fail('nobody asks for these'),
  identify: async ({ headers }) => {
    if (headers.authorization === 'wrong') throw new Problem(401, 'wrong_badge', 'This badge is not known here.');
    return headers.authorization === undefined ? nobody : greeter;
  },
  report: (error) => assert.fail(String(error)),
});

const ask = (path: string, more: Partial<Request> = {}) =>
  dispatch({
    id: '1',
    face: 'neutral',
    method: 'GET',
    path: `/a/v1/${path}`,
    query: '',
    headers: {},
    address: '192.0.2.1',
    sources: async () => noSources,
    ...more,
  });
const asGreeter = { headers: { authorization: 'right' } };

describe('A caller', () => {
  test('is handed to the handler with what let them in', async () => {
    assert.deepEqual((await ask('badge', asGreeter)).body, { badge: 'a badge' });
    assert.deepEqual((await ask('badge')).body, { badge: null });
  });

  test('gets their headers with every answer, refusals too, and nobody else does', async () => {
    for (const path of ['badge', 'nowhere'])
      assert.equal((await ask(path, asGreeter)).headers['X-Token'], 'fresh', path);
    assert.equal((await ask('badge')).headers['X-Token'], undefined);
  });

  test('gets them inside the envelope when there is one', async () => {
    const { body } = await ask('badge', { ...asGreeter, query: '_envelope' });
    assert.equal((body as { headers: Record<string, string> }).headers['X-Token'], 'fresh');
  });

  test('gets them once for a batch, and not with each entry', async () => {
    const sources = async () => ({ json: { requests: [{ path: '/a/v1/badge' }] } });
    const { headers, body } = await ask('', { ...asGreeter, method: 'POST', path: '/batch/v1', sources });
    assert.equal(headers['X-Token'], 'fresh');
    assert.deepEqual((body as { responses: { headers: object }[] }).responses[0]!.headers, { Allow: 'GET, POST' });
  });
});

describe('Credentials that are refused', () => {
  test('end the request, wherever it goes, and the answer is for nobody else', async () => {
    for (const path of ['badge', 'nowhere']) {
      const { status, known } = await ask(path, { headers: { authorization: 'wrong' } });
      assert.deepEqual([status, known], [401, true], path);
    }
  });
});
