import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { soon } from '#test/soon.ts';
import { speak, written } from '#test/wire.ts';
import { type Reply, raw } from '../answer.ts';
import { clientAddresses } from './client.ts';
import type { Page } from './page.ts';
import { createHttp, type Observation } from './server.ts';

interface Served {
  readonly port: number;
  readonly reported: unknown[];
  /** The first failure that was reported. */
  readonly failure: Promise<unknown>;
  readonly observed: Observation[];
  ask(...lines: string[]): ReturnType<typeof speak>;
}

/** A server whose every answer is this one. */
async function serving(answer: () => Partial<Reply>, pages: readonly Page[] = []): Promise<Served> {
  const reported: unknown[] = [];
  const failure = Promise.withResolvers<unknown>();
  const observed: Observation[] = [];
  const http = createHttp({
    missing: () => ({ status: 404, type: 'text/plain', body: 'There is no such page.\n' }),
    dispatch: async () => ({ status: 200, headers: {}, body: null, known: false, ...answer() }),
    roots: { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' },
    layout: { base: '', prefix: 'api', faces: 'both' },
    tracking: {
      track: async (work) => ({ answer: await work(), topics: undefined }),
      watch: () => {},
      isCurrent: true,
    },
    now: () => 0,
    pages,
    credentialCookie: 'key',
    clientOf: clientAddresses([]),
    observe: (one) => observed.push(one),
    report: (error) => {
      reported.push(error);
      failure.resolve(error);
    },
  });
  after(() => http.close(100));
  const port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  const ask = (...lines: string[]) =>
    speak(port, [written('GET /api/ HTTP/1.1', ['Host: x', 'Connection: close', ...lines])]);
  return { port, reported, failure: failure.promise, observed, ask };
}

const breaking = () => {
  let told = false;
  return new Readable({
    read() {
      if (told) setImmediate(() => this.destroy(new Error('the disk is gone')));
      else this.push('first');
      told = true;
    },
  });
};

test('an answer that cannot be written as JSON is a 500 without its reasons', async () => {
  const site = await serving(() => ({ body: { count: 1n } }));
  const heard = await site.ask();
  assert.deepEqual(heard.statuses, [500]);
  assert.equal(heard.body.code, 'rest_internal_error');
  assert.equal(typeof heard.body.data.reference, 'string');
  assert.doesNotMatch(heard.text, /BigInt/);
  assert.match(String(site.reported[0]), /BigInt/);
});

test('a header value that would break the answer is a 500, not a second header', async () => {
  const site = await serving(() => ({ headers: { Location: 'http://x/\r\nX-Poison: yes' }, body: {} }));
  const heard = await site.ask();
  assert.deepEqual(heard.statuses, [500]);
  assert.doesNotMatch(heard.text, /poison/i);
});

test('a stream that breaks is cut, so that nobody takes the half for the whole', async () => {
  const site = await serving(() => ({ body: raw(breaking(), 'text/csv') }));
  const heard = await site.ask();
  assert.deepEqual(heard.statuses, [200]);
  assert.doesNotMatch(heard.text, /0\r\n\r\n$|disk/);
  assert.match(String(await site.failure), /the disk is gone/);
});

test('a client that leaves in the middle of a stream is no failure, and the stream is let go', async () => {
  const endless = new Readable({ read: () => endless.push('x'.repeat(10_000)) });
  const site = await serving(() => ({ body: raw(endless, 'text/plain') }));
  const closed = new Promise((resolve) => endless.once('close', resolve));
  await speak(site.port, ['GET /api/ HTTP/1.1\r\nHost: x\r\n\r\n', { wait: 50 }], { cut: true });
  await closed;
  assert.deepEqual(site.reported, []);
});

test('HEAD sends nothing of a stream and lets it go', async () => {
  const stream = new Readable({ read: () => {} });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const site = await serving(() => ({ body: raw(stream, 'text/plain') }));
  const heard = await speak(site.port, ['HEAD /api/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']);
  assert.deepEqual(heard.statuses, [200]);
  await closed;
});

test('nothing malformed gets into the middle of a stream', async () => {
  let left = 20;
  const slow = new Readable({
    read() {
      setTimeout(() => this.push(left-- > 0 ? 'line\n' : null), 5);
    },
  });
  const site = await serving(() => ({ body: raw(slow, 'text/plain') }));
  const heard = await speak(site.port, ['GET /api/ HTTP/1.1\r\nHost: x\r\n\r\n', { wait: 30 }, 'GARBAGE\r\n\r\n']);
  assert.deepEqual(heard.statuses, [200]);
  assert.equal(heard.text.match(/line/g)?.length, 20);
  assert.ok(heard.closed);
});

test('an answer tells the log who asked, even when the client is gone', async () => {
  const asked = Promise.withResolvers<void>();
  const site = await serving(() => {
    asked.resolve();
    return { body: raw(breaking(), 'text/plain') };
  });
  const client = connect(site.port, '127.0.0.1');
  client.write('GET /api/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked.promise;
  client.destroy();
  await soon(async () => site.observed.length, 1);
  assert.deepEqual(
    site.observed.map(({ address, path }) => ({ address, path })),
    [{ address: '127.0.0.1', path: '/api/' }],
  );
});

test('a page whose data is away says when to come again, and nothing of why', async () => {
  const visit = () => {
    throw new Unavailable('the host db7 does not answer', { retryAfter: 7 });
  };
  const site = await serving(() => ({}), [{ path: '/page', visit }]);
  const heard = await speak(site.port, [written('GET /page HTTP/1.1', ['Host: x', 'Connection: close'])]);
  assert.deepEqual(heard.statuses, [503]);
  assert.match(heard.text, /retry-after: 7\r/i);
  assert.doesNotMatch(heard.text, /db7/);
  assert.match(String(site.reported[0]), /db7/);
});
