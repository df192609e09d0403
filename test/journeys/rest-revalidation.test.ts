import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';

const plain = { 'accept-encoding': 'identity' };
const tag = async (site: TestSite, path: string, headers = {}) => (await site.get(path, headers)).headers.get('etag');

describe('ETag', () => {
  const engine = testEngine('sqlite');

  test('is weak, the same while the answer is, and another when it changes', async () => {
    const site = await aSite(engine);
    const empty = await tag(site, greetings);
    assert.match(empty ?? '', /^W\/"[\w-]+"$/);
    assert.equal(await tag(site, greetings), empty);
    await greet(site, 'hello');
    assert.notEqual(await tag(site, greetings), empty);
  });

  test('differs between faces and between queries', async () => {
    const site = await aSite(engine);
    await greet(site, 'hello');
    const paths = [greetings, `${greetings}?_fields=id`, `${greetings}?_pretty`, greetings.replace('/api', '/wp-json')];
    const tags = new Set(await Promise.all(paths.map((path) => tag(site, path))));
    assert.equal(tags.size, paths.length);
  });

  test('is on no answer to a known caller, to a write or to what went wrong', async () => {
    const site = await aSite(engine, withProbe());
    const admin = site.as('administrator');
    const asked = [
      await admin.get(greetings),
      await admin.post(greetings, { text: 'x' }),
      await site.post('/api/probe/v1/echo', {}),
      await site.options(greetings),
      await site.get('/api/nope'),
      await site.get(`${greetings}?page=0`),
      await site.get('/api/probe/v1/csv'),
    ];
    for (const { headers } of asked) assert.equal(headers.get('etag'), null);
  });

  test('that comes back gets a 304 with the same headers and no body', async () => {
    const site = await aSite(engine);
    await greet(site, 'hello');
    for (const path of [greetings, `${greetings}?_pretty`, `${greetings}?unknown=1`]) {
      const full = await site.get(path, plain);
      const etag = full.headers.get('etag')!;
      for (const condition of [etag, `"x", ${etag}`, '*', etag.slice(2)]) {
        const again = await site.get(path, { ...plain, 'if-none-match': condition });
        assert.deepEqual([again.status, again.text], [304, ''], `${path} ${condition}`);
        for (const [name, value] of full.headers) {
          if (/^(?:date|x-request-id|content-length|connection|keep-alive)$/.test(name)) continue;
          assert.equal(again.headers.get(name), value, name);
        }
      }
    }
  });

  test('of another answer gets the answer', async () => {
    const site = await aSite(engine);
    await greet(site, 'hello');
    for (const condition of ['W/"other"', '"other"', '']) {
      assert.equal((await site.get(greetings, { 'if-none-match': condition })).status, 200);
    }
  });

  test('is never enough for a known caller', async () => {
    const site = await aSite(engine);
    const etag = (await tag(site, greetings)) ?? '';
    assert.equal((await site.as('administrator').get(greetings, { 'if-none-match': etag })).status, 200);
    assert.equal((await site.as('administrator').get(greetings, { 'if-none-match': '*' })).status, 200);
  });

  test('may be asked about by HEAD', async () => {
    const site = await aSite(engine);
    const etag = (await tag(site, greetings)) ?? '';
    assert.equal((await site.request('HEAD', greetings, { headers: { 'if-none-match': etag } })).status, 304);
  });
});

describe('Compression', () => {
  const engine = testEngine('sqlite');
  const long = '/api/probe/v1/long';

  /** As it came over the wire: `fetch` would decompress it. */
  const sent = async (site: TestSite, accept: string, path = long) => {
    const { get } = await import('node:http');
    const { promise, resolve, reject } = Promise.withResolvers<{ encoding: string; vary: string; bytes: Buffer }>();
    const headers = { 'accept-encoding': accept };
    get(`${site.origin}${path}`, { headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      const { 'content-encoding': encoding = 'identity', vary = '' } = response.headers;
      resolve({ encoding, vary, bytes });
    }).on('error', reject);
    return promise;
  };
  const inflate: Record<string, (bytes: Buffer) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    identity: (bytes) => bytes,
  };

  const wishes: [string, string][] = [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    ['brotli', 'identity'],
    ['', 'identity'],
  ];
  test('is the best of what the client takes, on the first answer and on those kept of it', async () => {
    for (const [accept, wanted] of wishes) {
      const site = await aSite(engine, withProbe());
      const { text } = await site.get(long, plain);
      for (const path of [`${long}?unknown=1`, long]) {
        await sent(site, accept, path);
        const { encoding, vary, bytes } = await eventually(() => sent(site, accept, path), wanted);
        assert.deepEqual([encoding, vary], [wanted, 'Origin, Accept-Encoding'], `${accept} at ${path}`);
        assert.equal(inflate[encoding]!(bytes).toString(), text);
      }
    }
  });

  test('leaves short answers as they are', async () => {
    const site = await aSite(engine, withProbe());
    const { encoding, vary } = await sent(site, 'gzip', '/api/probe/v1/long?times=10');
    assert.deepEqual([encoding, vary], ['identity', 'Origin']);
  });
});

/** A cached answer is compressed beside the first request for that encoding, which does not wait for it. */
async function eventually<T extends { encoding: string }>(ask: () => Promise<T>, wanted: string): Promise<T> {
  await soon(async () => (await ask()).encoding, wanted);
  return ask();
}
