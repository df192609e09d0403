// More requests than can be worked on: which of them are begun, which wait, and which are told to come again.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { soon } from '#test/soon.ts';
import { speak, written } from '#test/wire.ts';
import { waitOutside } from '../request.ts';
import { clientAddresses } from './client.ts';
import type { Page, PageAnswer } from './page.ts';
import { createHttp } from './server.ts';

const answer: PageAnswer = { status: 200, type: 'text/plain', body: 'fine' };

/** Pages that are answered once the test says so, in the order in which they were begun. */
let begun: { url: string; finish: (answer: PageAnswer) => void }[] = [];
const slow = (url: string): Promise<PageAnswer> => new Promise((finish) => begun.push({ url, finish }));
/** Waits for another site, in the middle of something that waits already. */
const elsewhere = (url: string): Promise<PageAnswer> => waitOutside(() => waitOutside(() => slow(url)));
const finishAll = (): void => {
  for (const { finish } of begun) finish(answer);
};

const pages: Page[] = [
  { path: '/alive', isVital: true, visit: () => answer },
  { path: '/sign-in', takesForms: true, visit: () => answer },
];

const made = (limits = {}, isProxy = (_: string) => false) =>
  createHttp({
    missing: () => ({ ...answer, status: 404 }),
    dispatch: () => assert.fail('no page is a route'),
    roots: { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' },
    layout: { base: '', prefix: 'api', faces: 'both' },
    tracking: {
      track: async (work) => ({ answer: await work(), topics: undefined }),
      watch() {},
      isCurrent: true,
    },
    pages,
    openSite: ({ url }) => (url.startsWith('/elsewhere?') ? elsewhere(url) : slow(url)),
    now: Date.now,
    credentialCookie: 'key',
    clientOf: clientAddresses([]),
    observe: () => {},
    report: (error) => assert.fail(String(error)),
    limits,
    isProxy,
  });

const asking = (path: string, ...headers: string[]): string => written(`GET ${path} HTTP/1.1`, ['Host: x', ...headers]);
const last = 'Connection: close';

describe('A server with more to do than it can', () => {
  const http = made({ visitorPatience: 60_000 });
  const open = new Set<Socket>();
  let port = 0;
  before(async () => {
    port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  beforeEach(() => {
    begun = [];
  });
  after(() => http.close(100));

  /** Asks, and reads nothing unless it is told to. */
  const held = (text: string): Socket => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    open.add(socket);
    return socket;
  };
  /** Until all places are taken, those to wait in too. */
  const fill = async (): Promise<void> => {
    while (http.load().inWork + http.load().waiting < 216) {
      held(asking('/many'));
      await pause(2);
    }
  };
  const leave = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await soon(async () => http.load().inWork + http.load().waiting, 0);
  };

  test('works on one request of a connection at a time, and answers all of them in their order', async () => {
    const paths = Array.from({ length: 50 }, (_, at) => `/one?${at}`);
    const spoken = speak(port, [paths.map((path, at) => asking(path, ...(at === 49 ? [last] : []))).join('')]);
    for (let at = 0; at < paths.length; at++) {
      await soon(async () => begun.length, at + 1);
      begun[at]!.finish(answer);
    }
    assert.deepEqual(
      begun.map(({ url }) => url),
      paths,
    );
    assert.deepEqual(
      (await spoken).statuses,
      paths.map(() => 200),
    );
  });

  test('never begins what its client no longer waits for', async () => {
    const socket = held(asking('/gone').repeat(20));
    await soon(async () => begun.length, 1);
    socket.destroy();
    for (let round = 0; round < 5; round++) {
      finishAll();
      assert.equal((await speak(port, [asking('/alive', last)])).statuses[0], 200);
    }
    await soon(async () => http.load().inWork, 0);
    // That it left is seen when the next answer is sent.
    assert.ok(begun.length <= 2, `${begun.length} were begun`);
  });

  test('says 503 to those for whom there is no room, and answers the vital pages and a sign-in at once', async () => {
    await fill();
    const heard = await speak(port, [asking('/many', last, 'Accept: application/json')]);
    assert.deepEqual([heard.statuses, heard.body.code, heard.body.data], [[503], 'overloaded', { status: 503 }]);
    assert.match(heard.text, /^Retry-After: \d+\r$/m);
    assert.match((await speak(port, [asking('/many', last)])).text, /\r\n\r\nThe site has too many requests/);
    for (const path of ['/alive', '/sign-in']) assert.equal((await speak(port, [asking(path, last)])).statuses[0], 200);
    await leave();
  });

  test('gives a visitor from elsewhere a place before a client that holds many', async () => {
    await fill();
    const elsewhere = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    elsewhere.on('error', () => {}).write(asking('/elsewhere'));
    // It takes the place of one of the many, and waits for its turn.
    const turns = begun.length;
    for (let at = 0; at < turns + 2; at++) {
      await soon(async () => begun.length > at, true);
      begun[at]!.finish(answer);
    }
    await soon(async () => begun.slice(0, turns + 3).some(({ url }) => url === '/elsewhere'), true);
    elsewhere.destroy();
    await leave();
  });

  test('lets go of its place while it waits for another site, and has it again once for all it waited for', async () => {
    const spoken = Array.from({ length: 40 }, (_, at) => speak(port, [asking(`/elsewhere?${at}`, last)]));
    await soon(async () => begun.length, 40);
    finishAll();
    const statuses = (await Promise.all(spoken)).map((heard) => heard.statuses[0]);
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.deepEqual([http.load().inWork, http.load().waiting], [0, 0]);
  });

  test('begins nothing more for visitors while their answers lie unread', async () => {
    const long = { ...answer, body: 'x'.repeat(8 * 2 ** 20) };
    for (let at = 0; at < 8; at++) held(asking('/long')).pause();
    for (let at = 0; at < 8; at++) {
      await soon(async () => begun.length > at, true);
      begun[at]!.finish(long);
    }
    await soon(async () => http.load().unreadBytes > 32 * 2 ** 20, true);
    assert.deepEqual((await speak(port, [asking('/more', last)])).statuses, [503]);
    await leave();
    await soon(async () => http.load().unreadBytes, 0);
    const spoken = speak(port, [asking('/again', last)]);
    await soon(async () => begun.at(-1)?.url, '/again');
    finishAll();
    assert.deepEqual((await spoken).statuses, [200]);
  });
});

test('past the bound of connections the oldest without a request makes room', async () => {
  const http = made({ connections: 30, connectionsOfOne: 10 });
  const port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  begun = [];
  const opened = (localAddress: string, text = ''): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}).on('connect', () => socket.write(text));
    return socket;
  };
  const used = opened('127.0.0.1', asking('/used'));
  await soon(async () => begun.length, 1);
  const idle = Array.from({ length: 40 }, () => opened('127.0.0.1'));
  await soon(async () => idle.filter(({ destroyed, connecting }) => !destroyed && !connecting).length, 9);
  assert.equal((await speak(port, [asking('/alive', last)])).statuses[0], 200);
  const others = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((address) =>
    Array.from({ length: 10 }, () => opened(address)),
  );
  await soon(async () => [...idle, ...others].filter(({ destroyed }) => !destroyed).length <= 29, true);
  assert.equal((await speak(port, [asking('/alive', last)])).statuses[0], 200);
  assert.ok(!used.destroyed, 'a connection with a request stays');
  for (const socket of [used, ...idle, ...others]) socket.destroy();
  await http.close(100);
});

test('a proxy is bound by the connections of all clients alone', async () => {
  const http = made({ connections: 30, connectionsOfOne: 10 }, (address) => address === '127.0.0.9');
  const port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  const idle = Array.from({ length: 40 }, () =>
    connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' }).on('error', () => {}),
  );
  await soon(async () => idle.filter(({ destroyed, connecting }) => !destroyed && !connecting).length, 30);
  for (const socket of idle) socket.destroy();
  await http.close(100);
});
