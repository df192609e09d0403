import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { minute } from '#lib/spans.ts';
import { eachEngine, testEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { noisy, photo } from '#test/pictures.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { aside, fetched, imageOptimizer, kept, known, send } from '#test/uploads.ts';

const path = '/api/imgopt/v1/preset_configs';
const mediaPath = (id: number): string => `/api/core/v2/media/${id}`;

const opened = (site: TestSite) => ({
  ...imageOptimizer(site),
  url: async (id: number): Promise<string> => (await site.as('administrator').get(mediaPath(id))).body.source_url,
});

const settings = (more: Record<string, unknown>) => [{ name: 'Test', config: { configs: { settings: more } } }];

eachEngine('Images that are optimized', (engine) => {
  test('get smaller, lose where they were taken, come in the type a client accepts, and are restored byte for byte', async () => {
    const site = await aSite(engine);
    const { admin, post, record, url } = opened(site);
    const jpeg = await photo(320, 240, 'jpeg');
    const { body: uploaded } = await send(site, 'administrator', 'photo.jpg', jpeg);
    const { id } = uploaded;
    assert.equal(uploaded.imgopt, 'Not processed');
    const before = kept(site);
    const made = await post({ action: 'optimize', id });
    assert.equal(made.status, 'optimized');
    assert.equal(made.bytes, made.size_before - made.size_after);
    assert.ok(made.percent > 30 && made.size_after < made.size_before, JSON.stringify(made));
    assert.deepEqual([made.count, made.backup, made.level], [3, true, 1]);
    assert.ok(made.variants.webp > 0 && made.variants.avif === 0);
    assert.deepEqual((await record(id)).imgopt, made);
    assert.deepEqual(aside(site), []);

    const plain = await fetched(site, await url(id));
    assert.deepEqual([plain.headers.get('content-type'), plain.headers.get('vary')], ['image/jpeg', 'Accept']);
    assert.ok(plain.bytes.length < jpeg.length && !plain.bytes.includes('Camera of a family'));
    assert.equal((await record(id)).media_details.filesize, plain.bytes.length);
    const webp = await fetched(site, await url(id), { accept: 'image/avif,image/webp,*/*;q=0.8' });
    assert.deepEqual(
      [webp.headers.get('content-type'), (await sharp(webp.bytes).metadata()).format],
      ['image/webp', 'webp'],
    );
    assert.notEqual(webp.headers.get('etag'), plain.headers.get('etag'));
    const part = await fetched(site, await url(id), { accept: 'image/webp', range: 'bytes=0-3' });
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'RIFF']);
    const long = `${'text/x-long,'.repeat(650)}image/webp`;
    assert.equal((await fetched(site, await url(id), { accept: long })).headers.get('content-type'), 'image/webp');
    assert.ok(kept(site).includes('photo.bak.jpg'));
    const image_url = (await url(id)).replace('photo.jpg', 'photo.bak.jpg');
    assert.equal((await fetched(site, image_url)).status, 404);
    const { body: refused } = await admin.post('/api/gallery-ai/v1/download-image', { image_url });
    assert.equal(refused.code, 'image_fetch_failed');

    const items = [{ id, alt: 'A photo' }];
    const { body: gallery } = await admin.post('/api/core/v2/galleries', {
      title: 'Shown',
      status: 'publish',
      gallery_data: { items },
    });
    assert.match(gallery.content.rendered, /<picture><source type="image\/webp" srcset="[^"]*\.jpg\.webp /);

    const stats = await post({ action: 'stats' });
    assert.deepEqual([stats.total_images, stats.optimized, stats.remaining, stats.bytes], [1, 1, 0, made.bytes]);
    assert.equal(await post({ action: 'restore', id }), 'Not processed');
    assert.deepEqual((await fetched(site, await url(id))).bytes, jpeg);
    assert.deepEqual(kept(site), before);
    assert.deepEqual(
      (await known(site)).names,
      before.map((name) => `2026/11/${name}`),
    );
    const after = await post({ action: 'stats' });
    assert.deepEqual([after.optimized, after.remaining, after.bytes, after.variant_bytes], [0, 1, 0, 0]);
    assert.equal((await post({ action: 'restore', id })).code, 'imgopt_no_backup');
  });

  test('become JPEG if they are photos, and old addresses and posts lead to the new files', async () => {
    const site = await aSite(engine);
    const { admin, post, record, url } = opened(site);
    const png = await photo(320, 240, 'png');
    const { body: image } = await send(site, 'administrator', 'shot.png', png);
    const { body: other } = await send(site, 'administrator', 'glass.png', await photo(320, 240, 'png', 128));
    const { id } = image;
    const old = image.media_details.sizes.medium.source_url;
    const content = `<img src="${old}" class="size-medium wp-image-${id}" width="300" height="225">`;
    const { body: text } = await admin.post('/api/core/v2/posts', { title: 'With it', status: 'publish', content });
    const made = await post({ action: 'optimize', id });
    assert.ok(made.conversion.bytes > 0 && made.percent > 30, JSON.stringify(made));
    const now = await record(id);
    assert.deepEqual([now.mime_type, now.source_url.endsWith('/shot.jpg')], ['image/jpeg', true]);
    assert.equal((await sharp((await fetched(site, now.source_url)).bytes).metadata()).format, 'jpeg');
    const moved = await site.get(new URL(image.source_url).pathname);
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, './shot.jpg']);
    const raw = async (): Promise<string> =>
      (await admin.get(`/api/core/v2/posts/${text.id}?context=edit`)).body.content.raw;
    assert.ok((await raw()).includes(now.media_details.sizes.medium.source_url), await raw());
    // Another upload does not get the old address.
    const { body: same } = await send(site, 'administrator', 'shot.png', await photo(32, 32, 'png'));
    assert.notEqual(same.source_url, image.source_url);

    assert.equal((await post({ action: 'optimize', id: other.id })).conversion, null);
    assert.equal((await record(other.id)).mime_type, 'image/png');

    await post({ action: 'restore', id });
    assert.deepEqual(
      [await url(id), (await fetched(site, image.source_url)).bytes.equals(png)],
      [image.source_url, true],
    );
    assert.ok((await raw()).includes(old), await raw());
    const back = await site.get(new URL(now.source_url).pathname);
    assert.deepEqual([back.status, back.headers.get('location')], [301, './shot.png']);
  });

  test('after an upload, by a client in slices, and in the background, and the sums follow what is deleted', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_OPTIMISE_UPLOADS: 'on' } });
    const { admin, post, record } = opened(site);
    const upload = async (name: string, body: Buffer): Promise<number> => {
      const { body: media } = await send(site, 'author', name, body);
      // The upload answers first; the job may have begun by the time the record is read.
      assert.ok(['Not processed', 'Optimization in progress'].includes(media.imgopt), media.imgopt);
      return media.id;
    };
    const first = await upload('one.jpg', await photo(320, 240, 'jpeg'));
    await site.app.services.jobs.settled();
    assert.equal((await record(first)).imgopt.status, 'optimized');

    await post(settings({ auto: false }));
    await post({ action: 'apply', id: 1 });
    const second = await upload('two.jpg', await photo(320, 240, 'jpeg'));
    const third = await upload(
      'three.gif',
      await sharp(await noisy(100, 100))
        .gif()
        .toBuffer(),
    );
    const gone = await upload('four.jpg', await photo(320, 240, 'jpeg'));
    rmSync(join(site.config.data, 'media/2026/11/four.jpg'));
    await site.app.services.jobs.settled();
    const slice = await post({ action: 'bulk', limit: 2 });
    assert.deepEqual([slice.processed, slice.skipped, slice.offset, slice.total, slice.is_capped], [1, 1, 2, 4, true]);
    const rest = await post({ action: 'bulk', limit: 50, offset: slice.offset, total: slice.total });
    assert.deepEqual([rest.failed, rest.skipped, rest.remaining, rest.is_capped], [1, 1, 0, false]);
    assert.deepEqual(rest.results[1], {
      id: gone,
      status: 'failed',
      bytes: 0,
      percent: 0,
      error: 'imgopt_file_not_found',
    });
    const stats = async () => {
      const { total_images, optimized, skipped, failed, remaining, bytes } = await post({ action: 'stats' });
      return { total_images, optimized, skipped, failed, remaining, bytes };
    };
    const saved = await Promise.all([first, second].map(async (id) => (await record(id)).imgopt.bytes));
    const sum = saved[0]! + saved[1]!;
    assert.deepEqual(await stats(), { total_images: 4, optimized: 2, skipped: 1, failed: 1, remaining: 0, bytes: sum });
    await admin.delete(`${mediaPath(first)}?force=true`);
    await admin.delete(`${mediaPath(gone)}?force=true`);
    assert.deepEqual(await stats(), {
      total_images: 2,
      optimized: 1,
      skipped: 1,
      failed: 0,
      remaining: 0,
      bytes: saved[1],
    });
    assert.deepEqual(
      kept(site).filter((name) => name.startsWith('one') || name.startsWith('four')),
      [],
    );

    await post(settings({ lossy: 2 }));
    await post({ action: 'apply', id: 1 });
    const started = await admin.post(path, { action: 'bulk', background: true });
    assert.deepEqual([started.status, started.body.status, started.body.total], [202, 'queued', 0]);
    await site.app.services.jobs.settled();
    const done = await post({ job: started.body.id });
    assert.deepEqual([done.status, done.total, done.failed, done.progress], ['done', 2, 0, 100]);
    assert.ok(done.result.bytes > saved[1]!, JSON.stringify(done));
    assert.deepEqual([(await record(second)).imgopt.level, (await record(third)).imgopt.status], [2, 'skipped']);
    assert.equal((await post({ job: 'unknown' })).code, 'job_not_found');

    await admin.post(`/api/regenerate-thumbnails/v1/regenerate/${second}`, {
      only_regenerate_missing_thumbnails: false,
    });
    await site.app.services.events.settled();
    const { imgopt } = await record(second);
    assert.deepEqual([imgopt.sizes, imgopt.count, imgopt.bytes > 0], [{}, 1, true]);
    assert.equal((await stats()).bytes, imgopt.bytes);
    await post({ action: 'bulk' });
    const again = await record(second);
    assert.equal(again.imgopt.sizes.medium.size_after, again.media_details.sizes.medium.filesize);
    assert.ok(again.imgopt.sizes.medium.bytes > 0, JSON.stringify(again.imgopt));
  });

  test('are refused with the documented code while another request works on them, or if the request is wrong', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    const { admin, post } = opened(site);
    const { body: image } = await send(site, 'administrator', 'a.jpg', await photo(200, 150, 'jpeg'));
    const { body: text } = await send(site, 'administrator', 'words.txt', 'words');
    const refused: unknown[] = [];
    for (const [body, code] of [
      [{ action: 'optimize' }, 'rest_invalid_param'],
      [{ action: 'optimize', id: 999_999 }, 'imgopt_unknown_image'],
      [{ action: 'optimize', id: text.id }, 'imgopt_unknown_image'],
      [{ action: 'restore', id: image.id }, 'imgopt_no_backup'],
      [{ action: 'bulk', limit: 0 }, 'rest_invalid_param'],
      [{ action: 'bulk', limit: 51 }, 'rest_invalid_param'],
      [{ action: 'bulk', offset: -1 }, 'rest_invalid_param'],
      [{ action: 'bulk', ids: 'all' }, 'rest_invalid_param'],
      [{ action: 'bulk', ids: [1.5] }, 'rest_invalid_param'],
      [{ job: { id: 1 } }, 'job_not_found'],
    ] as const) {
      const { code: is } = await post(body);
      if (is !== code) refused.push([body, is]);
    }
    assert.deepEqual(refused, []);
    const presets = (await admin.get(path)).body;
    const huge = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, description: 'x'.repeat(100_000) }));
    assert.equal((await admin.post(path, huge)).status, 413);
    assert.deepEqual((await admin.get(path)).body, presets);

    const { store, content } = site.app.services;
    const slow = { id: image.id, token: 'slow', refusal: () => new Error('Another request has the image.') };
    const overtaken = content.media.locks.hold(slow, async (goOn) => {
      now = new Date(now.getTime() + minute);
      await store.write((tx) => tx.updateTable('media_locks').set({ token: 'another' }).execute());
      await goOn();
    });
    await assert.rejects(overtaken, /Another request/);
    const lock = { token: 'optimize of another', until: '2026-11-20T12:02:00.000Z' };
    await store.write((tx) => tx.updateTable('media_locks').set(lock).execute());
    assert.equal((await admin.get(mediaPath(image.id))).body.imgopt, 'Optimization in progress');
    const answers = await Promise.all([
      post({ action: 'optimize', id: image.id }),
      post({ action: 'restore', id: image.id }),
    ]);
    assert.deepEqual(
      answers.map(({ code }) => code),
      ['imgopt_in_progress', 'imgopt_in_progress'],
    );
    const { results } = await post({ action: 'bulk', ids: [image.id, image.id] });
    assert.deepEqual(results, [{ id: image.id, status: 'failed', bytes: 0, percent: 0, error: 'imgopt_in_progress' }]);
  });
});

describe('gatehouse images', () => {
  const engine = testEngine('sqlite');

  test('says what it would save, saves it, and puts originals back', async () => {
    const site = await aSite(engine);
    const jpeg = await photo(320, 240, 'jpeg');
    const { body: image } = await send(site, 'administrator', 'a.jpg', jpeg);
    const before = kept(site);
    const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
    const run = (...args: string[]) =>
      gatehouse(['images', ...args, '--data', site.config.data, '--deployment', 'b'], env);
    const dry = await run('optimize', '--dry-run', '--level', '2', '--json');
    const would = JSON.parse(dry.out);
    assert.deepEqual([would.optimized, would.bytes > 0, kept(site)], [1, true, before]);
    assert.equal((await known(site)).names.length, before.length);
    const done = await run('optimize');
    assert.match(
      done.out,
      /^Optimized: 1, skipped: 0, failed: 0\. Saved [\d.]+ KB of [\d.]+ KB \([\d.]+ %\)\.\n$/,
      done.err,
    );
    assert.equal((await run('optimize', '--level', '3')).code, 2);
    assert.equal((await run('restore', `${image.id}`)).out, 'Restored: 1, skipped: 0.\n');
    assert.deepEqual((await fetched(site, image.source_url)).bytes, jpeg);
  });
});
