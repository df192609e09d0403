import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite, signedIn, type Walled } from '#test/firewall-alone.ts';
import type { Answer } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';

const posts = '/api/core/v2/posts';
const has = (parameter: string, value: string) => ({ parameter, match: { type: 'contains', value } });
const bad = has('get.bad', '');
const blocked = (status: number, code = 'secsuite_firewall_blocked') => ({ status, code });
const told = ({ status, body }: Answer) => ({ status, code: body?.code });
const made = { status: 201, code: undefined };

eachEngine('The firewall', (engine) => {
  test('looks at forms, at JSON and at text as they are sent', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [has('post.action', 'evil'), has('raw.title', 'evil'), has('raw', '<evil>')]);
    const editor = site.as('editor');
    assert.deepEqual(told(await editor.post(posts, { title: 'evil' })), blocked(403));
    assert.deepEqual(told(await editor.post(posts, { title: 'good' })), made);
    assert.deepEqual(told(await editor.post(posts, { title: 'so <evil>' })), blocked(403));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.deepEqual(told(await editor.post(posts, 'action=evil', form)), blocked(403));
    assert.deepEqual(told(await site.post('/api/nowhere', { title: 'evil' })), blocked(403));
    assert.deepEqual(told(await site.post(posts, 'so <evil>', { 'content-type': 'text/plain' })), blocked(403));
    assert.equal((await site.post('/login', 'log=x&pwd=y&action=evil', form)).status, 403);
    assert.equal((await site.post('/no-such-page', 'action=evil', form)).status, 403);
    const parts = multipart([`Content-Disposition: form-data; name="action"\r\n\r\nevil`]);
    assert.deepEqual(told(await editor.post(posts, parts.body, parts.headers)), blocked(403));
  });

  test('looks at uploads once they are there, and leaves nothing of those it refuses', async () => {
    const site = await aWalledSite(engine);
    const author = site.as('author');
    await site.rule('BLOCK', [
      { parameter: 'files.img', match: { type: 'file_contains', match: { type: 'contains', value: '<script' } } },
      has('files.*', '.php'),
      has('post.caption', 'evil'),
    ]);
    const file = (content: string, name = 'note.txt', more: string[] = []) => {
      const disposition = `Content-Disposition: form-data; name="img"; filename="${name}"`;
      const { body, headers } = multipart([...more, `${disposition}\r\nContent-Type: text/plain\r\n\r\n${content}`]);
      return author.post(media, body, headers);
    };
    assert.equal((await file('Only words.')).status, 201);
    assert.deepEqual(told(await file('See <script>')), blocked(403));
    assert.deepEqual(told(await file('Words', 'x.php')), blocked(403));
    const caption = 'Content-Disposition: form-data; name="caption"\r\n\r\nevil';
    assert.deepEqual(told(await file('Words', 'note.txt', [caption])), blocked(403));
    assert.deepEqual(told(await send(site, 'author', 'x.php', 'Words')), blocked(403));
    assert.equal((await send(site, 'author', 'x.txt', 'Words')).status, 201);
    assert.equal((await author.get(`${media}?_fields=id`)).body.length, 2);
  });

  test('looks at files in forms also where nobody takes any', async () => {
    const site = await aWalledSite(engine);
    const inside = { type: 'file_contains', match: { type: 'contains', value: '<script' } };
    await site.rule('BLOCK', [{ parameter: 'files', match: inside }, has('files.doc.name', '.php')]);
    const ask = async (path: string, name: string, content: string) => {
      const disposition = `Content-Disposition: form-data; name="doc"; filename="a/${name}"`;
      const { body, headers } = multipart([`${disposition}\r\nContent-Type: text/plain\r\n\r\n${content}`]);
      return (await site.post(path, body, headers)).status;
    };
    for (const [path, open] of [
      [posts, 401],
      ['/api/nowhere', 404],
      ['/login', 200],
      ['/no-such-page', 404],
    ] as const) {
      assert.equal(await ask(path, 'x.txt', 'See <script>'), 403, path);
      assert.equal(await ask(path, 'x.php', 'Words'), 403, path);
      assert.equal(await ask(path, 'x.txt', 'Words'), open, path);
    }
  });

  test('looks at a file that is sent to a page that takes one, and at the rest of the request before', async () => {
    const site = await aWalledSite(engine);
    const inside = { type: 'file_contains', match: { type: 'contains', value: '<evil' } };
    const file = await site.rule('BLOCK', [{ parameter: 'files', match: inside }, has('post._wpnonce', 'evil')]);
    const query = await site.rule('BLOCK', [bad]);
    await site.user({ login: 'kim', password: 'the garden gate is open', roles: ['administrator'] });
    const send = async (path: string, content: string, nonce = 'x') => {
      const { body, headers } = multipart([
        `Content-Disposition: form-data; name="_wpnonce"\r\n\r\n${nonce}`,
        `Content-Disposition: form-data; name="file"; filename="a.xml"\r\nContent-Type: text/xml\r\n\r\n${content}`,
      ]);
      const cookie = await signedIn(site);
      return (await site.post(path, body, { ...headers, cookie })).status;
    };
    await send('/wp-admin/import.php', '<good>');
    assert.deepEqual(site.codes(), []);
    assert.equal(await send('/wp-admin/import.php', '<evil>'), 403);
    assert.equal(await send('/wp-admin/import.php', '<good>', 'evil'), 403);
    assert.equal(await send('/wp-admin/import.php?bad=1', '<good>'), 403);
    assert.deepEqual(site.codes(), [`BLOCK::${file}`, `BLOCK::${file}`, `BLOCK::${query}`]);
  });

  test('knows how it was asked', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [{ parameter: 'server.SERVER_PROTOCOL', match: { type: 'equals', value: 'HTTP/1.0' } }]);
    assert.equal((await raw(site, `GET ${posts} HTTP/1.0`)).status, 403);
    assert.equal((await raw(site, `GET ${posts} HTTP/1.1`)).status, 200);
  });

  test('asks rules with the body that a reading request brings', async () => {
    const site = await aWalledSite(engine);
    await site.rule('BLOCK', [has('raw.evil', ''), bad]);
    const asked = async (path: string, body: string) =>
      (
        await raw(
          site,
          `GET ${path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`,
          body,
        )
      ).status;
    assert.equal(await asked(posts, '{"evil":1}'), 403);
    assert.equal(await asked(posts, '{"good":1}'), 200);
    const file = new URL((await send(site, 'author', 'x.txt', 'Words')).body.source_url).pathname;
    assert.deepEqual([await asked(file, '{}'), await asked(`${file}?bad=1`, '{}')], [200, 403]);
    assert.equal((await site.get(`${file}?bad=1`)).status, 403);
  });
});

async function raw(site: Walled, head: string, body = ''): Promise<{ status: number }> {
  const socket = connect(site.port, '127.0.0.1');
  socket.write(`${head}\r\nHost: site.test\r\nConnection: close\r\n\r\n${body}`);
  return { status: Number((await text(socket)).slice(9, 12)) };
}

function multipart(parts: readonly string[]) {
  const body = `${parts.map((part) => `--limit\r\n${part}\r\n`).join('')}--limit--\r\n`;
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=limit' } };
}
