import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

eachEngine('A file that is served', async (engine) => {
  const site = await aSite(engine);
  const { body } = await send(site, 'author', 'a.txt', 'hello, world');
  const path = new URL(body.source_url).pathname;
  const get = (headers: Record<string, string> = {}, method = 'GET') => site.request(method, path, { headers });

  test('comes with its kind, and may be kept for a while', async () => {
    const { status, headers, text } = await get();
    assert.deepEqual([status, text], [200, 'hello, world']);
    assert.equal(headers.get('content-type'), 'text/plain; charset=UTF-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('cache-control')!, /^public, max-age=\d{6,}$/);
    assert.equal(headers.get('content-disposition'), null);
  });

  test('is told of without its bytes', async () => {
    const { status, headers, text } = await get({}, 'HEAD');
    assert.deepEqual([status, headers.get('content-length'), text], [200, '12', '']);
  });

  test('is not sent again to who has it', async () => {
    const { headers } = await get();
    const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!];
    assert.equal((await get({ 'if-none-match': etag })).status, 304);
    assert.equal((await get({ 'if-none-match': `"x", W/${etag}` })).status, 304);
    assert.equal((await get({ 'if-modified-since': modified })).status, 304);
    assert.equal((await get({ 'if-none-match': '"x"', 'if-modified-since': modified })).status, 200);
  });

  test('is not sent to who wants it only as it was', async () => {
    const { headers } = await get();
    const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!];
    const before = new Date(Date.parse(modified) - 1_000).toUTCString();
    const others: Record<string, string>[] = [
      { 'if-match': '"x"' },
      { 'if-match': `W/${etag}` },
      { 'if-unmodified-since': before },
    ];
    for (const other of others) {
      const { status, text } = await get(other);
      assert.deepEqual([status, text], [412, ''], JSON.stringify(other));
    }
    const sames: Record<string, string>[] = [
      { 'if-match': `"x", ${etag}` },
      { 'if-match': '*' },
      { 'if-unmodified-since': modified },
    ];
    for (const same of sames) assert.equal((await get(same)).status, 200, JSON.stringify(same));
    assert.equal((await get({ 'if-match': etag, 'if-unmodified-since': before })).status, 200);
  });

  const parts: readonly (readonly [range: string, status: number, text: string, part: string | null])[] = [
    ['bytes=0-4', 206, 'hello', 'bytes 0-4/12'],
    ['BYTES=0-4', 206, 'hello', 'bytes 0-4/12'],
    ['bytes=7-', 206, 'world', 'bytes 7-11/12'],
    ['bytes=-5', 206, 'world', 'bytes 7-11/12'],
    ['bytes=-50', 206, 'hello, world', 'bytes 0-11/12'],
    ['bytes=7-500', 206, 'world', 'bytes 7-11/12'],
    ['bytes=12-', 416, '', 'bytes */12'],
    ['bytes=-0', 416, '', 'bytes */12'],
    ['bytes=5-2', 200, 'hello, world', null],
    ['bytes=0-1,3-4', 200, 'hello, world', null],
    ['lines=0-1', 200, 'hello, world', null],
    ['bytes=-', 200, 'hello, world', null],
  ];
  test('is sent in parts', () =>
    checkRows(parts, async ([range, status, text, part]) => {
      const answer = await get({ range });
      assert.deepEqual([answer.status, answer.text, answer.headers.get('content-range')], [status, text, part]);
    }));

  test('is sent whole where the part is of another file', async () => {
    const { headers } = await get();
    assert.equal((await get({ range: 'bytes=0-4', 'if-range': headers.get('etag')! })).status, 206);
    assert.equal((await get({ range: 'bytes=0-4', 'if-range': '"other"' })).status, 200);
  });

  test('is handed out to be saved where a browser could run it', async () => {
    const zip = await send(site, 'author', 'a b.zip', 'PK\x03\x04');
    const { headers } = await site.request('GET', new URL(zip.body.source_url).pathname);
    assert.equal(headers.get('content-disposition'), "attachment; filename*=UTF-8''a-b.zip");
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/);
  });

  test('lies where files lie, and nowhere else', async () => {
    const base = '/wp-content/uploads';
    const others = [
      '',
      '/',
      '/2026',
      '/2026/11',
      '/2026/11/',
      '/nothing.txt',
      '/..%2f..%2fgatehouse.db',
      '/%2e%2e/gatehouse.db',
    ];
    for (const other of [...others, '/.unfinished/x', '/2026/.x', '/%00', '/2026%2f11%2f..%2f..%2fx', '/a%5c..%5cx'])
      assert.equal((await site.request('GET', base + other)).status, 404, other);
    for (const unreadable of ['/%ff', '/%e0%80%ae', '/2026/%zz'])
      assert.equal((await site.request('GET', base + unreadable)).status, 404, unreadable);
    assert.equal((await site.request('POST', path)).status, 404);
  });
});
