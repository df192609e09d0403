import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { host, unharmed } from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { speak, written } from '#test/wire.ts';

describeAsync('Connections and bodies cut off in the middle', async () => {
  const site = await aSite(testEngine('sqlite'));
  unharmed(site);

  const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\nContent-Type: text/plain\r\n\r\nx';

  test('a file that ends before its form does is a refusal', async () => {
    for (const length of [file.length, file.length - 1, 60, 10, 2]) {
      const head = written('POST /api/batch/v1 HTTP/1.1', [
        host,
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${length}`,
        'Connection: close',
      ]);
      const heard = await speak(site.port, [head, file.slice(0, length)]);
      assert.deepEqual(heard.statuses, [400], `${length} bytes`);
    }
  });

  test('a client that resets a tunnel it asked for harms nobody', async () => {
    for (let round = 0; round < 30; round++) {
      await new Promise<void>((resolve) => {
        const socket = connect(site.port, '127.0.0.1', () => {
          socket.write(written('CONNECT a:80 HTTP/1.1', [host]));
          socket.resetAndDestroy();
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve());
      });
    }
    assert.equal((await site.get('/healthz')).status, 200);
  });

  test('every refusal of what is no request carries an id', async () => {
    const bad = [
      'GET /api/ HTTP/1.1\r\n\r\n',
      'FOO / HTTP/1.1\r\n\r\n',
      `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n\r\n`,
    ];
    for (const text of bad)
      assert.match((await speak(site.port, [text])).text, /x-request-id: \S+/i, text.slice(0, 20));
  });
});

test('under a public address with a path, pages and interface answer below that path', async () => {
  const site = await aSite(testEngine('sqlite'), { config: { url: 'http://site.test/blog' } });
  assert.equal((await site.get('/blog/healthz')).status, 200);
  const front = await site.get('/blog/');
  assert.equal(front.headers.get('link'), '<http://site.test/blog/wp-json/>; rel="https://api.w.org/"');
  assert.equal((await site.get('/blog/api/')).body.url, 'http://site.test/blog');
  assert.equal((await site.get('/elsewhere/healthz')).status, 404);
});
