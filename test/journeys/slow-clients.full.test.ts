import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { editor, host, index, multipart, post, speakTo, unharmed, writing } from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { type Piece, written } from '#test/wire.ts';

describeAsync('Clients that take their time', async () => {
  const limits = {
    headersTimeout: 300,
    requestTimeout: 600,
    idleTimeout: 1_000,
    keepAliveTimeout: 300,
    checkingInterval: 50,
  };
  const engine = testEngine('sqlite');
  const site = await aSite(engine, { limits });
  unharmed(site);

  /** One byte after another. */
  const slowly = (text: string): Piece[] => [...text].flatMap((letter) => [letter, { wait: 20 }]);

  test('who trickles a header is told 408 and shed', async () => {
    const heard = await speakTo(site, [`${index}\r\n`, ...slowly(`${host}\r\nX-One: ${'a'.repeat(100)}`)]);
    assert.deepEqual(heard.statuses, [408]);
    assert.equal(heard.body.code, 'rest_request_timeout');
    assert.ok(heard.closed);
  });

  test('who trickles a header and keeps its half of the connection is cut off with the 408', async () => {
    const socket = connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}); // it is reset
    socket.resume().write(`${index}\r\nX-One: a`);
    await once(socket, 'end');
    const cut = new Promise((resolve) => socket.once('close', resolve));
    const trickling = setInterval(() => socket.write('a'), 20);
    await cut;
    clearInterval(trickling);
  });

  test('who trickles a body is told 408 and shed', async () => {
    const heard = await speakTo(site, [writing(['Content-Length: 200']), ...slowly(`{"text":"${'a'.repeat(100)}`)]);
    assert.deepEqual(heard.statuses, [408]);
    assert.ok(heard.closed);
  });

  test('who trickles a form of parts is shed', async () => {
    const head = written(post, [host, editor, multipart, 'Content-Length: 900']);
    const heard = await speakTo(site, [head, ...slowly(`--b\r\n${'a'.repeat(100)}`)]);
    assert.deepEqual(heard.statuses, [408]);
    assert.ok(heard.closed);
  });

  test('who stops in the middle of a body is told 408 and shed, long before the request would be over', async () => {
    const patient = { ...limits, bodyTimeout: 100, requestTimeout: 60_000, idleTimeout: 60_000 };
    const site = await aSite(engine, { limits: patient });
    for (const type of ['Content-Type: application/json', multipart]) {
      const heard = await speakTo(site, [written(post, [host, editor, type, 'Content-Length: 900'], '{"text":')]);
      assert.deepEqual([heard.statuses, heard.body.code], [[408], 'rest_request_timeout']);
      assert.ok(heard.closed);
    }
  });

  test('bodies that are not finished take no more memory together than they may, and give it back', async () => {
    const site = await aSite(engine, { limits: { bodiesTogether: 1_000 } });
    const head = writing(['Content-Length: 900']);
    const half = `{"text":"${'a'.repeat(500)}`;
    const first = speakTo(site, [head, half, { wait: 300 }], { cut: true });
    await wait(100);
    const second = await speakTo(site, [head, half]);
    assert.deepEqual([second.statuses, second.body.code], [[503], 'rest_too_busy']);
    assert.match(second.text, /^Retry-After: \d+\r$/m);
    assert.ok(second.closed);
    await first;
    for (let time = 0; time < 3; time++) {
      const { status } = await site.as('editor').post('/api/hello/v1/greetings', { text: 'a'.repeat(150), note: half });
      assert.equal(status, 201);
    }
  });

  test('who connects and says nothing is shed', async () => {
    assert.ok((await speakTo(site, [])).closed);
  });

  test('who says nothing after an answer is shed', async () => {
    const heard = await speakTo(site, [written(index, [host])]);
    assert.deepEqual(heard.statuses, [200]);
    assert.ok(heard.closed);
  });

  test('who asks and asks and does not listen is shed', async () => {
    const many = 20_000;
    const asking = written('GET /api/ HTTP/1.1', [host]).repeat(many);
    const heard = await speakTo(site, [asking], { deaf: 3_000, patience: 10_000 });
    assert.ok(heard.closed);
    assert.ok(heard.statuses.length < many, 'not everything was answered');
  });

  test('two hundred such clients keep nobody else waiting', async () => {
    const slow = Array.from({ length: 200 }, () =>
      speakTo(site, [`${index}\r\n`, ...slowly('X-One: aaaaaaaaaaaaaaaaaaaa')]),
    );
    const { status } = await site.as('editor').get('/api/hello/v1/greetings');
    assert.equal(status, 200);
    assert.deepEqual(new Set((await Promise.all(slow)).map(({ closed }) => closed)), new Set([true]));
  });
});
