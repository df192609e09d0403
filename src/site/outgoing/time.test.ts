import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keptLog } from '#test/databases.ts';
import { fault, guard, head, plain, remote, rude, slowTime } from '#test/guarded.ts';
import type { Connect } from './connect.ts';
import { createOutgoing } from './guard.ts';

describe('The time for an answer', () => {
  test('is ten seconds, with all of its body', async () => {
    const started = Promise.withResolvers<void>();
    const from = await rude((socket) => socket.write(`${head}Content-Length: 50\r\n\r\ndrip`, () => started.resolve()));
    const { read, time } = guard(from);
    const reading = read();
    await started.promise;
    time.pass(9999);
    assert.equal(time.waiting(), 1);
    time.pass(10_000);
    await assert.rejects(reading, fault('late'));
    await from.quiet();
    assert.equal(time.waiting(), 0);
  });

  test('is what was asked for, where something else was', async () => {
    const arrived = Promise.withResolvers<void>();
    const from = await rude(() => arrived.resolve());
    const { read, time } = guard(from);
    const reading = read({ within: 120_000 });
    await arrived.promise;
    time.pass(119_999);
    assert.equal(time.waiting(), 1);
    time.pass(120_000);
    await assert.rejects(reading, fault('late'));
    await from.quiet();
  });

  test('ends early when whoever asks no longer wants it', async () => {
    const arrived = Promise.withResolvers<void>();
    const from = await rude(() => arrived.resolve());
    const { read, time, log } = guard(from);
    const asker = new AbortController();
    const reading = read({ signal: asker.signal });
    await arrived.promise;
    asker.abort(new Error('never mind'));
    await assert.rejects(reading, /never mind/);
    await from.quiet();
    assert.deepEqual([time.waiting(), log.lines], [0, []]);
  });

  test('to look a name up counts too', async () => {
    const time = slowTime();
    const begun = Promise.withResolvers<void>();
    const lookup = () => {
      begun.resolve();
      return new Promise<never>(() => {});
    };
    const outgoing = createOutgoing({ allowHosts: [], version: '1', log: keptLog(), after: time.later, lookup });
    const asking = outgoing.fetch('http://site.test/', plain);
    await begun.promise;
    time.pass(10_000);
    await assert.rejects(asking, fault('late'));
  });

  test('to connect is five seconds, shared by the addresses that are tried', async () => {
    const time = slowTime();
    const tried: string[] = [];
    const connect: Connect = ({ address }, signal) => {
      tried.push(address);
      queueMicrotask(() => time.pass(2500));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const lookup = async () => ['2606:4700::1', '93.184.216.34'];
    const outgoing = createOutgoing({
      allowHosts: [],
      version: '1',
      log: keptLog(),
      after: time.later,
      lookup,
      connect,
    });
    await assert.rejects(outgoing.fetch('http://site.test/', plain), fault('late'));
    assert.deepEqual([tried, time.waiting()], [['2606:4700::1', '93.184.216.34'], 0]);
  });
});

describe('How much at once', () => {
  test('is 64 answers; who comes then is asked to come again, until one is done with', async () => {
    const from = await rude((socket) => socket.write(`${head}Content-Length: 999\r\n\r\nhello`));
    const { outgoing, time } = guard(from);
    const fetched = await Promise.all(Array.from({ length: 64 }, () => outgoing.fetch(from.url, plain)));
    await assert.rejects(outgoing.fetch(from.url, plain), { status: 503, code: 'rest_too_busy' });
    fetched[0]?.close();
    fetched[0]?.close();
    await outgoing.fetch(from.url, plain);
    await assert.rejects(outgoing.fetch(from.url, plain), { status: 503 });
    await assert.rejects(outgoing.fetch('http://127.0.0.1/', plain), { status: 503 });
    time.pass(10_000);
    await from.quiet();
    (await outgoing.fetch(from.url, plain)).close();
  });
});

describe('What is not read', () => {
  const endless = () => rude((socket) => socket.write(`${head}Content-Length: 999\r\n\r\nhello`));

  test('is let go when the time is up', async () => {
    const from = await endless();
    const { outgoing, time } = guard(from);
    await outgoing.fetch(from.url, plain);
    time.pass(10_000);
    await from.quiet();
  });

  test('is let go when it is closed, and the clock with it', async () => {
    const from = await endless();
    const { outgoing, time } = guard(from);
    (await outgoing.fetch(from.url, plain)).close();
    await from.quiet();
    assert.equal(time.waiting(), 0);
  });

  test('is let go when the reader leaves half way', async () => {
    const from = await endless();
    const { outgoing, time } = guard(from);
    for await (const piece of (await outgoing.fetch(from.url, plain)).body) {
      assert.equal(Buffer.from(piece).toString(), 'hello');
      break;
    }
    await from.quiet();
    assert.equal(time.waiting(), 0);
  });

  test('and what is read leaves nothing behind either', async () => {
    const from = await remote((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'));
    const { read, time } = guard(from);
    for (const text of await Promise.all(Array.from({ length: 20 }, () => read()))) assert.equal(text, 'hello');
    await from.quiet();
    assert.deepEqual([from.opened, time.waiting()], [20, 0]);
  });
});
