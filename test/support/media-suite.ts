// What files of a site do wherever they are kept: sent, copied, served, changed and deleted over HTTP.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { noisy, photo, quartered } from './pictures.ts';
import type { TestSite } from './site.ts';
import { aside, fetched, imageOptimizer, known, media, quarters, send } from './uploads.ts';

/** The names of all files of a site, wherever it keeps them. */
export async function stored({ app }: TestSite): Promise<string[]> {
  const names: string[] = [];
  for await (const { path } of app.services.files.list()) names.push(path.replace(/^2026\/11\//, ''));
  return names.sort();
}

export function mediaSuite(given: () => Promise<TestSite>): void {
  const erase = async (site: TestSite) => {
    const all: { id: number }[] = (await site.get(`${media}?per_page=100&_fields=id`)).body;
    for (const { id } of all) await site.as('author').delete(`${media}/${id}?force=true`);
    assert.deepEqual(await stored(site), []);
    assert.deepEqual(await known(site), { posts: 0, files: 0, names: [] });
    assert.deepEqual(aside(site), []);
  };

  test('a picture is kept with its copies, and every one of them is served', async () => {
    const site = await given();
    const { status, body } = await send(site, 'author', 'wide.jpg', await noisy(2600, 900));
    assert.equal(status, 201);
    const { sizes, original_image } = body.media_details;
    const told = Object.values<{ file: string }>(sizes).map(({ file }) => file);
    assert.deepEqual(await stored(site), [...new Set([...told, original_image])].sort());
    for (const { source_url, width, height } of Object.values<Sized>(sizes)) {
      const { status: found, headers, bytes } = await fetched(site, source_url);
      assert.deepEqual([found, headers.get('content-type')], [200, 'image/jpeg']);
      assert.equal(headers.get('content-length'), String(bytes.length));
      const seen = await sharp(bytes).metadata();
      assert.deepEqual([seen.width, seen.height], [width, height]);
    }
    assert.deepEqual(aside(site), []);
    await erase(site);
  });

  test('a file is served in part, or not again to who has it, with words for those who keep it', async () => {
    const site = await given();
    const { body } = await send(site, 'author', 'a.txt', 'hello, world');
    const get = (headers: Record<string, string> = {}) => fetched(site, body.source_url, headers);
    const { headers, bytes } = await get();
    assert.equal(bytes.toString(), 'hello, world');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('cache-control')!, /^public, max-age=\d{6,}$/);
    const etag = headers.get('etag')!;
    assert.equal((await get({ 'if-none-match': etag })).status, 304);
    assert.equal((await get({ 'if-modified-since': headers.get('last-modified')! })).status, 304);
    const parts = [
      ['bytes=0-4', 206, 'hello', 'bytes 0-4/12'],
      ['bytes=-5', 206, 'world', 'bytes 7-11/12'],
      ['bytes=7-900', 206, 'world', 'bytes 7-11/12'],
      ['bytes=12-', 416, '', 'bytes */12'],
    ] as const;
    for (const [range, ...expected] of parts) {
      const part = await get({ range, 'if-range': etag });
      assert.deepEqual([part.status, part.bytes.toString(), part.headers.get('content-range')], expected);
    }
    const headOnly = await site.request('HEAD', new URL(body.source_url).pathname);
    assert.deepEqual([headOnly.status, headOnly.headers.get('content-length'), headOnly.text], [200, '12', '']);
    assert.equal((await fetched(site, `${body.source_url}x`)).status, 404);
    await erase(site);
  });

  test('a picture is changed into another, and gets the copies it lacks', async () => {
    const site = await given();
    const author = site.as('author');
    const { body } = await send(site, 'author', 'a.png', await quartered(400, 200, 'png'), '?generate_sub_sizes=false');
    assert.deepEqual(await stored(site), ['a.png']);
    const edited = await author.post(`${media}/${body.id}/edit`, { src: body.source_url, rotation: 90 });
    assert.equal(edited.status, 201);
    const { bytes } = await fetched(site, edited.body.source_url);
    assert.deepEqual(await quarters(bytes), ['blue', 'red', 'yellow', 'green']);
    const done = await author.post(`${media}/${body.id}/post-process`, { action: 'create-image-subsizes' });
    assert.equal(done.status, 200);
    const copies = ['a-150x150.png', 'a-300x150.png', 'a.png'];
    const others = ['a-edited-150x150.png', 'a-edited-150x300.png', 'a-edited.png'];
    assert.deepEqual(await stored(site), [...copies, ...others].sort());
    await author.delete(`${media}/${body.id}?force=true`);
    assert.deepEqual(await stored(site), others);
    await erase(site);
  });

  test('an image is optimized, served in the type that a client accepts, and restored', async () => {
    const site = await given();
    const jpeg = await photo(320, 240, 'jpeg');
    const { body } = await send(site, 'author', 'photo.jpg', jpeg);
    const before = await stored(site);
    const act = (action: string) => imageOptimizer(site).post({ action, id: body.id });
    assert.equal((await act('optimize')).status, 'optimized');
    const made = (await stored(site)).filter((name) => !before.includes(name));
    assert.deepEqual([made.includes('photo.bak.jpg'), made.includes('photo.jpg.webp')], [true, true], `${made}`);
    const typeOf = async (accept: string): Promise<unknown> => {
      const { headers, bytes } = await fetched(site, body.source_url, { accept });
      return [headers.get('content-type'), (await sharp(bytes).metadata()).format];
    };
    assert.deepEqual(
      [await typeOf('image/webp,*/*'), await typeOf('*/*')],
      [
        ['image/webp', 'webp'],
        ['image/jpeg', 'jpeg'],
      ],
    );
    await act('restore');
    assert.deepEqual((await fetched(site, body.source_url)).bytes, jpeg);
    assert.deepEqual(await stored(site), before);
    await erase(site);
  });

  test('a large file is kept and served in parts', async () => {
    const site = await given();
    const large = Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(20 * 2 ** 20)]);
    const { status, body } = await send(site, 'author', 'a.zip', large);
    assert.deepEqual([status, body.filesize], [201, large.length]);
    const whole = await fetched(site, body.source_url);
    assert.ok(whole.bytes.equals(large));
    assert.equal(whole.headers.get('content-disposition'), "attachment; filename*=UTF-8''a.zip");
    const end = await fetched(site, body.source_url, { range: 'bytes=-1000' });
    assert.ok(end.bytes.equals(large.subarray(-1_000)));
    await erase(site);
  });

  test('what is refused leaves nothing', async () => {
    const site = await given();
    const broken = (await noisy(600, 400)).subarray(0, 5_000);
    assert.equal((await send(site, 'author', 'a.jpg', broken)).body.code, 'rest_upload_sideload_error');
    assert.equal((await send(site, 'author', 'a.jpg', '<html>')).body.code, 'rest_upload_sideload_error');
    await erase(site);
  });
}

interface Sized {
  readonly source_url: string;
  readonly width: number;
  readonly height: number;
}
