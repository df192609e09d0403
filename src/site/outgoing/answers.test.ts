import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fault, guard, head, plain, remote, rude } from '#test/guarded.ts';
import { checkRows } from '#test/rows.ts';

const typed = (type: string, body: string | Buffer = 'hello') =>
  remote((_, response) => response.writeHead(200, type ? { 'content-type': type } : {}).end(body));

describe('The kind of an answer', () => {
  const cases: readonly (readonly [types: readonly string[], sent: string, taken: string | undefined])[] = [
    [['text/plain'], 'text/plain', 'text/plain'],
    [['text/plain'], 'Text/Plain; charset=utf-8', 'text/plain'],
    [['text/html', 'text/plain'], 'text/plain', 'text/plain'],
    [['image/'], 'image/png', 'image/png'],
    [['*'], 'application/x-odd', 'application/x-odd'],
    [['*'], '', ''],
    [['text/plain'], '', undefined],
    [['text/plain'], 'text/html', undefined],
    [['text/plain'], 'text/plainer', undefined],
    [['image/'], 'imagery/png', undefined],
    [['image/'], 'text/html, image/png', undefined],
    [['image/png'], 'text/html; a=image/png', undefined],
  ];
  test('is compared with the kinds wanted', () =>
    checkRows(cases, async ([types, sent, taken]) => {
      const from = await typed(sent);
      const asked = guard(from).outgoing.fetch(from.url, { ...plain, types });
      if (taken === undefined) await assert.rejects(asked, fault('type'));
      else {
        const fetched = await asked;
        assert.deepEqual([fetched.type, await fetched.text()], [taken, 'hello']);
      }
      await from.quiet();
    }));

  const texts: readonly (readonly [type: string, bytes: Buffer, text: string])[] = [
    ['text/plain', Buffer.from('é'), 'é'],
    ['text/plain; charset=ISO-8859-1', Buffer.from([0xe9]), 'é'],
    ['text/plain; x=y; charset="windows-1251"', Buffer.from([0xe9]), 'й'],
    ['text/plain; charset=none-such', Buffer.from('é'), 'é'],
    ['text/plain; charset=utf-8', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]), 'a\ufffd'],
  ];
  test('says how its bytes are read', () =>
    checkRows(texts, async ([type, bytes, text]) => assert.equal(await guard(await typed(type, bytes)).read(), text)));

  test('nothing, answered without a type, is taken whatever is wanted', async () => {
    assert.equal(await guard(await remote((_, response) => response.writeHead(204).end())).read(), '');
  });
});

describe('The size of an answer', () => {
  const sized = (bytes: number, headers: Record<string, string> = {}) =>
    remote((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end('a'.repeat(bytes)),
    );

  test('may be the most that is taken', async () => assert.equal((await guard(await sized(1000)).read()).length, 1000));

  test('is refused beyond it before anything is read, where it is told', async () => {
    const from = await sized(1001, { 'content-length': '1001' });
    await assert.rejects(guard(from).outgoing.fetch(from.url, plain), fault('size'));
    await from.quiet();
  });

  test('is found out on the way where it is not told, and the rest is left', async () => {
    const from = await remote((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.on('drain', () => response.write('a'.repeat(100)));
      response.write('a'.repeat(100));
      response.write('a'.repeat(100_000));
    });
    await assert.rejects(guard(from).read(), fault('size'));
    await from.quiet();
  });

  test('is not known of packed answers: refused', () =>
    checkRows(
      Object.entries({
        gzip: gzipSync('a'.repeat(1_000_000)),
        deflate: deflateSync('a'.repeat(1_000_000)),
        br: brotliCompressSync('a'.repeat(1_000_000)),
        zstd: zstdCompressSync('a'.repeat(1_000_000)),
        'identity, gzip': gzipSync('a'),
      }),
      async ([name, packed]) => {
        const headers = { 'content-type': 'text/plain', 'content-encoding': name };
        const from = await remote((_, response) => response.writeHead(200, headers).end(packed));
        await assert.rejects(guard(from).read(), fault('broken'));
        await from.quiet();
      },
    ));
});

describe('An answer out of order', () => {
  const cases: readonly (readonly [about: string, sent: string])[] = [
    ['is no HTTP', 'hello\r\n\r\n'],
    ['ends before its header does', head],
    ['ends before its body does', `${head}Content-Length: 10\r\n\r\nhello`],
    ['ends before its last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
    ['has a chunk of no size', `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n`],
    ['has two lengths', `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    [
      'has a length and chunks',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['has a length below nothing', `${head}Content-Length: -5\r\n\r\nhello`],
    ['is packed on the way', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
    [
      'would rather speak something else',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
    ],
  ];
  test('is broken', () =>
    checkRows(cases, async ([, sent]) => {
      const from = await rude((socket) => socket.end(sent, 'latin1'));
      await assert.rejects(guard(from).read(), fault('broken'));
      await from.quiet();
    }));

  const endless: readonly (readonly [about: string, sent: string])[] = [
    ['has a header without an end', `HTTP/1.1 200 OK\r\n${'X-Long: y\r\n'.repeat(5000)}`],
    ['has one endless header', `HTTP/1.1 200 OK\r\nX-Long: ${'y'.repeat(50_000)}`],
    ['says again and again that it is coming', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)],
  ];
  test('is broken before it ends', () =>
    checkRows(endless, async ([, sent]) => {
      const from = await rude((socket) => socket.write(sent, 'latin1'));
      await assert.rejects(guard(from).read(), fault('broken'));
      await from.quiet();
    }));

  test('is read to its length and no further', async () => {
    const from = await rude((socket) => socket.end(`${head}Content-Length: 5\r\n\r\nhello and more`));
    assert.equal(await guard(from).read(), 'hello');
  });

  test('is heard after a few words that it is coming', async () => {
    const from = await rude((socket) =>
      socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${head}Content-Length: 5\r\n\r\nhello`),
    );
    assert.equal(await guard(from).read(), 'hello');
  });

  test('with an error is told with its status, its body unread', () =>
    checkRows([400, 404, 500, 503], async (status) => {
      const from = await remote((_, response) =>
        response.writeHead(status, { 'content-type': 'text/plain' }).end('secret'),
      );
      await assert.rejects(guard(from).read(), fault('status', status));
      await from.quiet();
    }));
});

test('an error tells when to ask again, where the other side says so', async () => {
  const busy = await remote((_, response) => response.writeHead(503, { 'retry-after': '7' }).end());
  await assert.rejects(guard(busy).outgoing.fetch(busy.url, plain), { fault: 'status', status: 503, retryAfter: '7' });
});
