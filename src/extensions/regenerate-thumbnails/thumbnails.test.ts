import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { parseImageSizes } from '#lib/image-sizes.ts';
import { eachEngine } from '#test/databases.ts';
import { picture, quartered } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { kept, send } from '#test/uploads.ts';
import { createBulkRuns, type RunProgress, type RunResult, type Skipped } from './bulk-run.ts';
import { createThumbnails } from './thumbnails.ts';

const api = '/api/regenerate-thumbnails/v1';
const folder = ({ config }: TestSite): string => join(config.data, 'media/2026/11');
const usedFrom = (classic: string) => `<p>Before</p>\n${classic}\n<p>After</p>`;

eachEngine('Thumbnails that are regenerated', (engine) => {
  test('after a change of sizes: the files, the record, and the posts that show the picture', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const jpeg = await quartered(800, 600);
    const { body: photo } = await send(site, 'administrator', 'Grüße.jpg', jpeg);
    const { body: other } = await send(site, 'administrator', 'Gruesse-300x200.jpg', jpeg);
    const stem = photo.media_details.file.replace(/^.*\/|\.jpg$/g, '');
    const at = (name: string): string => join(folder(site), name);
    const { id } = photo;
    const src = (size: string): string => photo.media_details.sizes[size].source_url;
    const content = usedFrom(
      `[caption id="attachment_${id}" align="alignnone" width="300"]<img src="${src('medium')}" alt="" width="300" height="225" class="alignnone size-medium wp-image-${id}"> Words[/caption]\n` +
        `<!-- wp:image {"id":${id},"width":300,"height":225,"sizeSlug":"medium"} -->\n<figure class="wp-block-image size-medium"><img src="${src('medium')}" alt="" class="wp-image-${id}" width="300" height="225"/></figure>\n<!-- /wp:image -->`,
    );
    const said = { title: 'Shows it', status: 'publish', content, date: '2026-11-01T10:00:00' };
    const { body: post } = await admin.post('/api/core/v2/posts', said);
    const shown = (await site.get(`/api/core/v2/posts/${post.id}`)).body.content.rendered;
    assert.match(shown, /<img [^>]*style="background-color:#[\da-f]{6}"[^>]*wp-image-/);

    const before = statSync(at(`${stem}-300x225.jpg`)).mtimeMs;
    const first = await admin.post(`${api}/regenerate/${id}`);
    assert.deepEqual([first.status, statSync(at(`${stem}-300x225.jpg`)).mtimeMs], [200, before]);
    assert.match(first.headers.get('cache-control') ?? '', /no-store/);

    const imageSizes = parseImageSizes('medium=200x200,card=160x90-crop,medium_large=off')!;
    const config = { ...site.config, imageSizes };
    const changed = await aSite({ ...engine, place: async () => config }, { config });
    const headers = await site.credentials('administrator');
    const now = {
      get: (path: string) => changed.get(path, headers),
      post: (path: string, body?: unknown) => changed.post(path, body, headers),
      delete: (path: string) => changed.delete(path, undefined, headers),
    };
    writeFileSync(at(`${stem}-99x99.jpg`), 'a stray');
    const info = (await now.get(`${api}/attachmentinfo/${id}`)).body;
    const names = (sizes: { label: string; filename: string | false; fileexists: boolean }[]) =>
      sizes.map(({ label, filename, fileexists }) => `${label} ${filename} ${fileexists}`);
    assert.deepEqual(names(info.registered_sizes), [
      `thumbnail ${stem}-150x150.jpg true`,
      `medium ${stem}-200x150.jpg false`,
      'large false false',
      '1536x1536 false false',
      '2048x2048 false false',
      `card ${stem}-160x90.jpg false`,
    ]);
    assert.deepEqual(names(info.unregistered_sizes), [
      `medium (old) ${stem}-300x225.jpg true`,
      `medium_large ${stem}-768x576.jpg true`,
    ]);

    const kept1 = await now.delete(`${api}/regenerate/${id}?update_usages_in_posts=0`);
    assert.equal(kept1.status, 200);
    const details = async () => (await now.get(`/api/core/v2/media/${id}`)).body;
    assert.deepEqual(Object.keys((await details()).media_details.sizes).sort(), [
      'card',
      'full',
      'medium',
      'medium_large',
      'medium_old_300x225',
      'thumbnail',
    ]);
    assert.equal((await now.get(`/api/core/v2/posts/${post.id}?context=edit`)).body.content.raw, content);

    const all = { only_regenerate_missing_thumbnails: false, delete_unregistered_thumbnail_files: true };
    const { status, body: after } = await now.post(`${api}/regenerate/${id}`, all);
    assert.deepEqual([status, after.unregistered_sizes], [200, []]);
    assert.deepEqual(
      kept(changed).filter((name) => name.startsWith(stem)),
      [`${stem}-150x150.jpg`, `${stem}-160x90.jpg`, `${stem}-200x150.jpg`, `${stem}.jpg`],
    );
    assert.ok(kept(changed).includes('Gruesse-300x200.jpg'), other.source_url);
    assert.deepEqual(readFileSync(at(`${stem}.jpg`)), jpeg);

    const { body: saved } = await now.get(`/api/core/v2/posts/${post.id}?context=edit`);
    const url = (await details()).media_details.sizes.medium.source_url;
    assert.equal(
      saved.content.raw,
      usedFrom(
        `[caption id="attachment_${id}" align="alignnone" width="200"]<img src="${url}" alt="" width="200" height="150" class="alignnone size-medium wp-image-${id}"> Words[/caption]\n` +
          `<!-- wp:image {"id":${id},"sizeSlug":"medium"} -->\n<figure class="wp-block-image size-medium"><img src="${url}" alt="" class="wp-image-${id}"/></figure>\n<!-- /wp:image -->`,
      ),
    );
    assert.equal(saved.modified, post.modified);
    const revisions = await now.get(`/api/core/v2/posts/${post.id}/revisions`);
    assert.equal(revisions.body.length, 1);
  });

  test('keep the original, give older files a placeholder, and find what can be regenerated', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const { body: photo } = await send(site, 'administrator', 'blue.png', await picture(400, 300, 'png'));
    assert.equal(photo.dominant_color, '#3366aa');
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(photo.placeholder, 'base64'));
    assert.ok(Math.abs(r - 0.2) < 0.05 && Math.abs(g - 0.4) < 0.05 && Math.abs(b - 0.67) < 0.05, `${r} ${g} ${b}`);
    await site.app.services.store.write((tx) =>
      tx
        .updateTable('media')
        .set({ details: JSON.stringify({ sizes: {}, about: { image_meta: {} } }) })
        .execute(),
    );
    const media = `/api/core/v2/media/${photo.id}`;
    assert.equal((await admin.get(media)).body.placeholder, null);
    assert.equal((await admin.get(`${api}/regenerate/${photo.id}`)).status, 200);
    const { body: filled } = await admin.get(media);
    assert.deepEqual([filled.placeholder, filled.dominant_color], [photo.placeholder, '#3366aa']);
    assert.deepEqual(filled.media_details.sizes, photo.media_details.sizes);
    const { body: small } = await send(site, 'administrator', 'small.png', await picture(20, 20, 'png'));
    const { body: tiny } = await admin.get(`${api}/attachmentinfo/${small.id}`);
    assert.deepEqual([...new Set(tiny.registered_sizes.map((one: { filename: unknown }) => one.filename))], [false]);
    const { body: text } = await send(site, 'administrator', 'words.txt', 'words');
    await admin.post('/api/core/v2/settings', { site_icon: small.id });
    const ids = async (query: string) =>
      (await admin.get(`/api/core/v2/media?orderby=id&order=asc&${query}`)).body.map(({ id }: { id: number }) => id);
    assert.deepEqual(await ids('is_regeneratable=1'), [photo.id, small.id]);
    assert.deepEqual(await ids('exclude_site_icons=1'), [photo.id, text.id]);
    await admin.post('/api/core/v2/settings', { site_icon: photo.id });
    await site.app.services.events.settled();
    assert.deepEqual(await ids('is_regeneratable=1&exclude_site_icons=1'), []);
    assert.equal((await admin.get(`${api}/regenerate/${small.id}`)).status, 415);
  });

  test('are refused with the documented code, and nothing changes', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const upload = async (name: string, body: Uint8Array | string): Promise<number> =>
      (await send(site, 'administrator', name, body)).body.id;
    const [photo, gone] = [
      await upload('a.jpg', await picture(400, 300)),
      await upload('b.jpg', await picture(400, 300)),
    ];
    const zip = await upload('c.zip', Buffer.from('504b0506'.padEnd(44, '0'), 'hex'));
    const { body: page } = await admin.post('/api/core/v2/pages', { title: 'A page' });
    rmSync(join(folder(site), 'b.jpg'));
    writeFileSync(join(folder(site), 'a.jpg'), 'no picture any more');
    rmSync(join(folder(site), 'a-150x150.jpg'));
    const code = (name: string): string => `regenerate_thumbnails_regenerator_${name}`;
    const cases: [path: string, status: number, code: string][] = [
      ['regenerate/999999', 404, code('attachment_doesnt_exist')],
      ['regenerate/99999999999999999999', 404, code('attachment_doesnt_exist')],
      [`regenerate/${page.id}`, 400, code('not_attachment')],
      [`attachmentinfo/${gone}`, 404, code('file_not_found')],
      [`regenerate/${gone}`, 404, code('file_not_found')],
      [`regenerate/${zip}`, 415, 'image_no_editor'],
      [`regenerate/${photo}`, 415, 'invalid_image'],
      [`regenerate/${photo}?update_usages_in_posts_posts_per_loop=101`, 400, 'rest_invalid_param'],
      [`regenerate/${photo}?update_usages_in_posts_post_ids=5`, 400, 'rest_invalid_param'],
      ['featuredimages?page=2', 200, ''],
    ];
    const offenders: unknown[] = [];
    for (const [path, status, expected] of cases) {
      const answer = await admin.get(`${api}/${path}`);
      const is = [answer.status, answer.body.code ?? ''];
      if (is[0] !== status || is[1] !== expected) offenders.push([path, ...is]);
    }
    assert.deepEqual(offenders, []);
    const { data } = (await admin.get(`${api}/regenerate/${gone}`)).body;
    const attachment = { ID: gone, post_title: 'b', post_mime_type: 'image/jpeg' };
    assert.deepEqual(data, { status: 404, fullsizepath: '2026/11/b.jpg', attachment });
    assert.equal((await site.as('editor').post(`${api}/regenerate/${photo}`)).status, 403);
    assert.equal((await site.post(`${api}/regenerate/${photo}`)).status, 401);
    const lock = { post_id: photo, token: 'of another', until: '2026-11-20T12:01:00.000Z' };
    await site.app.services.store.write((tx) => tx.insertInto('media_locks').values(lock).execute());
    assert.equal((await admin.post(`${api}/regenerate/${photo}`)).body.code, 'regenerate_thumbnails_in_progress');
    await site.app.services.store.write((tx) =>
      tx.updateTable('media_locks').set({ until: '2026-11-20T12:30:00.000Z' }).execute(),
    );
    assert.equal((await admin.post(`${api}/regenerate/${photo}`)).body.code, 'invalid_image', 'the clock was set back');
    assert.ok(kept(site).includes('a-300x225.jpg'));
  });
});

eachEngine('A run over many pictures', (engine) => {
  test('goes on where it was broken off, says why it skips a picture, and changes each post once', async () => {
    const site = await aSite(engine);
    const upload = async (name: string): Promise<{ id: number; url: string }> => {
      const { body } = await send(site, 'administrator', name, await picture(400, 300));
      return { id: body.id, url: body.media_details.sizes.medium.source_url };
    };
    const photos = [await upload('a.jpg'), await upload('b.jpg'), await upload('c.jpg')];
    const content = photos
      .map(
        ({ id, url }) =>
          `<img src="${url.replace('300x225', '200x150')}" class="size-medium wp-image-${id}" width="9" height="9">`,
      )
      .join('\n');
    const { body: post } = await site.as('administrator').post('/api/core/v2/posts', { title: 'All', content });
    rmSync(join(folder(site), 'b.jpg'));
    rmSync(join(folder(site), 'c-150x150.jpg'));
    const services = site.app.services;
    const thumbnails = createThumbnails(services);
    const { run } = createBulkRuns(services, thumbnails);
    const told: string[] = [];
    const listener = (stopsAt: number) => ({
      resumed: (done: number) => void told.push(`resumed ${done}`),
      skipped: ({ id, code }: Skipped) => void told.push(`skipped ${photos.findIndex((one) => one.id === id)} ${code}`),
      progress: ({ what, done, total }: RunProgress) => {
        if (done === stopsAt) throw new Error('broken off');
        told.push(`${what} ${done} ${total}`);
      },
    });
    const options = { ids: [], onlyMissing: true, updatePosts: true };
    await assert.rejects(run(options, listener(2)), /broken off/);
    const { db, write } = site.app.services.store;
    const { key } = await db.selectFrom('thumbnail_runs').select('key').executeTakeFirstOrThrow();
    const lock = { post_id: photos[2]!.id, token: key, until: '2026-11-20T12:01:00.000Z' };
    await write((tx) => tx.insertInto('media_locks').values(lock).execute());
    const result = await run(options, listener(-1));
    assert.deepEqual(told, [
      'pictures 0 3',
      'pictures 1 3',
      'skipped 1 regenerate_thumbnails_regenerator_file_not_found',
      'resumed 2',
      'pictures 2 3',
      'posts 0 0',
    ]);
    assert.deepEqual([result.regenerated, result.skipped_count, result.posts_changed], [2, 1, 1]);
    assert.ok(kept(site).includes('c-150x150.jpg'));
    const { body: now } = await site.as('administrator').get(`/api/core/v2/posts/${post.id}?context=edit`);
    for (const { url } of photos) assert.ok(now.content.raw.includes(`src="${url}"`), now.content.raw);
    const { body: revisions } = await site.as('administrator').get(`/api/core/v2/posts/${post.id}/revisions`);
    assert.equal(revisions.length, 1);
    const all = { ...options, onlyMissing: false };
    let other: Promise<RunResult> | undefined;
    const quiet = { resumed: () => {}, skipped: () => {}, progress: () => {} };
    const begins = () => {
      other ??= run(all, quiet);
    };
    const overtaken = run(all, { ...quiet, progress: begins });
    await assert.rejects(overtaken, { code: 'regenerate_thumbnails_run_taken_over' });
    assert.deepEqual((await other)?.posts_changed, 0);
  });
});
