import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { speak, written } from '#test/wire.ts';
import { nobody } from '../caller.ts';
import { createKernel } from '../kernel.ts';
import type { Request } from '../request.ts';
import { routeMaker } from '../route.ts';
import { t } from '../schema.ts';
import { clientAddresses } from './client.ts';
import { createHttp } from './server.ts';

const route = routeMaker<undefined>();
const reading = (path: string, read: (request: Request) => unknown) =>
  route({ method: 'GET', path, summary: path, access: 'public', handle: ({ request }) => ({ read: read(request) }) });
let calls = 0;

const routes = [
  reading('header', ({ headers }) => headers['x-word']),
  reading('address', ({ address }) => address),
  reading('body', async ({ sources }) => (await sources(100)).document ?? null),
  route({
    method: 'GET',
    path: 'keyed',
    summary: 'With a key of its own',
    access: 'public',
    credential: async ({ headers }) => ({ id: 0, can: () => headers['x-key'] === 'sesame' }),
    handle: ({ caller }) => ({ secret: caller.can('read') ? 'treasure' : null }),
  }),
  route({
    method: ['GET', 'POST'],
    path: 'counted',
    summary: 'Counts its calls',
    access: 'public',
    args: { word: t.optional(t.string()) },
    handle: () => ({ calls: ++calls }),
  }),
];

const roots = { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' };
const failed = (error: unknown): void => {
  throw error;
};

/** A server that keeps whatever it may, for nothing is ever written. */
async function serving() {
  const kernel = createKernel({
    readReferenceFile: () => assert.fail('no test asks for it'),
    mounts: [{ namespace: 'a/v1', routes, use: undefined }],
    capabilities: new Set(),
    roots,
    bodyLimit: 1_000,
    version: '0',
    facts: () => failed(new Error('nobody asks for these')) as never,
    identify: async () => nobody,
    report: failed,
  });
  const http = createHttp({
    missing: () => ({ status: 404, type: 'text/plain', body: 'There is no such page.\n' }),
    dispatch: kernel.dispatch,
    roots,
    layout: { base: '', prefix: 'api', faces: 'both' },
    tracking: {
      track: async (work) => ({ answer: await work(), topics: new Set() }),
      watch: () => {},
      isCurrent: true,
    },
    pages: [],
    now: () => 0,
    credentialCookie: 'key',
    clientOf: clientAddresses(['127.0.0.1']),
    observe: () => {},
    report: failed,
  });
  const port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  const ask = async (line: string, ...headers: string[]) =>
    (await speak(port, [written(`${line} HTTP/1.1`, ['Host: x', 'Connection: close', ...headers])])).body;
  return { ask, close: () => http.close(100) };
}

describe('An answer is kept for the next who asks', () => {
  let served: Awaited<ReturnType<typeof serving>>;
  before(async () => {
    served = await serving();
  });
  after(() => served.close());
  const ask = (line: string, ...headers: string[]) => served.ask(line, ...headers);

  test('when it was made from its address alone', async () => {
    const first = await ask('GET /api/a/v1/counted');
    assert.deepEqual(await ask('GET /api/a/v1/counted'), first);
    assert.deepEqual(await ask('GET /api/a/v1/counted', 'X-Word: other', 'X-Forwarded-For: 192.0.2.1'), first);
  });

  test('but not when a header was read', async () => {
    assert.equal((await ask('GET /api/a/v1/header', 'X-Word: poison')).read, 'poison');
    assert.equal((await ask('GET /api/a/v1/header', 'X-Word: fine')).read, 'fine');
  });

  test('but not when the address of the client was read', async () => {
    assert.equal((await ask('GET /api/a/v1/address', 'X-Forwarded-For: 192.0.2.1')).read, '192.0.2.1');
    assert.equal((await ask('GET /api/a/v1/address', 'X-Forwarded-For: 192.0.2.2')).read, '192.0.2.2');
  });

  test('but not to whoever has the key of a route', async () => {
    assert.equal((await ask('GET /api/a/v1/keyed', 'X-Key: sesame')).secret, 'treasure');
    assert.equal((await ask('GET /api/a/v1/keyed')).secret, null);
  });

  test('but not when the request differs', () =>
    checkRows(
      [
        'GET /api/a/v1/counted?unknown=1',
        'GET /api/a/v1/counted?_method=POST',
        'POST /api/a/v1/counted',
        'GET /api/a/v1/counted?_method=GET',
        'GET /api/a/v1/counted?_envelope',
      ],
      async (line) => {
        const first = await ask(line);
        assert.notDeepEqual(await ask(line), first);
      },
    ));

  test('but neither given to nor kept from a request with credentials', () =>
    checkRows(
      ['Authorization: Basic eDp5', 'Cookie: key=b', 'X-WP-Nonce: a', 'X-HTTP-Method-Override: POST'],
      async (header) => {
        const line = `GET /api/a/v1/counted?word=${header.length}`;
        const first = await ask(line, header);
        const second = await ask(line);
        assert.notDeepEqual(second, first);
        assert.notDeepEqual(await ask(line, header), second);
        assert.deepEqual(await ask(line), second);
      },
    ));
});
