import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { bomb, lying, moving, noisy, picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { aside, kept, left, media, nothing, send } from '#test/uploads.ts';

eachEngine('A file that is uploaded', (engine) => {
  test('gets the copies that are smaller than it, named by their size', async () => {
    const site = await aSite(engine);
    const { status, body } = await send(site, 'author', 'A photo.jpg', await noisy(1920, 1080));
    assert.equal(status, 201);
    const { sizes, ...details } = body.media_details;
    assert.deepEqual([details.width, details.height, details.file], [1920, 1080, '2026/11/A-photo.jpg']);
    const files = Object.entries<{ file: string }>(sizes).map(([label, { file }]) => `${label} ${file}`);
    assert.deepEqual(files, [
      'medium A-photo-300x169.jpg',
      'large A-photo-1024x576.jpg',
      'thumbnail A-photo-150x150.jpg',
      'medium_large A-photo-768x432.jpg',
      '1536x1536 A-photo-1536x864.jpg',
      'full A-photo.jpg',
    ]);
    const large = await site.request('GET', new URL(sizes.large.source_url).pathname);
    assert.equal(large.status, 200);
    assert.equal(kept(site).length, 6);
    assert.deepEqual(aside(site), []);
  });

  test('is told to listeners once it is in the library, and one that is refused is not', async () => {
    const site = await aSite(engine);
    const told: (readonly [id: number, file: string])[] = [];
    const about: object[] = [];
    site.app.services.events.on('media.added', ({ post, file }) => {
      told.push([post.id, file.file]);
      about.push(file.about);
    });
    const { body } = await send(site, 'author', 'a.png', await picture(400, 200, 'png'));
    assert.deepEqual(told, [[body.id, '2026/11/a.png']]);
    const turned = await site.as('author').post(`${media}/${body.id}/edit`, { src: body.source_url, rotation: 90 });
    assert.deepEqual(told.slice(1), [[turned.body.id, turned.body.media_details.file]]);
    assert.deepEqual(
      about.map((one) => 'parent_image' in one),
      [false, true],
    );
    assert.equal((await send(site, 'author', 'b.png', 'no picture')).status, 400);
    await site.app.services.events.settled();
    assert.equal(told.length, 2);
  });

  test('is shown by a copy when it is larger than any screen, and the original stays', async () => {
    const site = await aSite(engine);
    const { body } = await send(site, 'author', 'wide.png', await picture(4000, 1000, 'png'));
    const { file, width, height, original_image, sizes } = body.media_details;
    assert.deepEqual([file, width, height, original_image], ['2026/11/wide-scaled.png', 2560, 640, 'wide.png']);
    assert.equal(sizes['2048x2048'].file, 'wide-2048x512.png');
    assert.ok(kept(site).includes('wide.png'));
  });

  test('stands upright in every copy, and tells no place', async () => {
    const site = await aSite(engine);
    const { body } = await send(site, 'author', 'a.jpg', await lying(800, 400));
    const { width, height, sizes, image_meta } = body.media_details;
    assert.deepEqual([width, height], [400, 800]);
    assert.deepEqual([image_meta.camera, image_meta.copyright, image_meta.orientation], ['Camera', 'Somebody', '6']);
    assert.equal(body.exif_orientation, 6);
    const copy = await fetch(`${site.origin}${new URL(sizes.medium.source_url).pathname}`);
    const seen = await sharp(Buffer.from(await copy.arrayBuffer())).metadata();
    assert.deepEqual([seen.width, seen.height, seen.exif, seen.orientation], [150, 300, undefined, undefined]);
  });

  test('keeps moving in its copies', async () => {
    const site = await aSite(engine);
    const { body } = await send(site, 'author', 'a.gif', await moving(3));
    const copy = await fetch(`${site.origin}${new URL(body.media_details.sizes.medium.source_url).pathname}`);
    const seen = await sharp(Buffer.from(await copy.arrayBuffer()), { animated: true }).metadata();
    assert.deepEqual([seen.pages, seen.width, seen.pageHeight], [3, 300, 300]);
    const edited = await site.as('author').post(`${media}/${body.id}/edit`, { src: body.source_url, rotation: 90 });
    assert.deepEqual([edited.status, edited.body.code], [400, 'rest_cannot_edit_file_type']);
  });

  test('gets a name that is free, whatever comes at the same time', async () => {
    const site = await aSite(engine);
    const bytes = await picture(400, 300);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(site, 'author', 'a.jpg', bytes)));
    const names = answers.map(({ body }) => body.filename).sort();
    assert.deepEqual(names, ['a-1.jpg', 'a-2.jpg', 'a-3.jpg', 'a-4.jpg', 'a-5.jpg', 'a-6.jpg', 'a-7.jpg', 'a.jpg']);
    const clash = await send(site, 'author', 'a-150x150.jpg', bytes);
    assert.equal(clash.body.filename, 'a-150x150-1.jpg');
    assert.equal(kept(site).length, 27);
  });

  const bytes = noisy(600, 600);
  const refusals: readonly (readonly [
    what: string,
    name: string,
    body: Promise<Buffer> | Buffer,
    status: number,
    code: string,
  ])[] = [
    ['a page', 'a.jpg', Buffer.from('<html><script>alert(1)</script>'), 400, 'rest_upload_sideload_error'],
    ['no picture', 'a.jpg', Buffer.from('ffd8ffe0000000', 'hex'), 400, 'rest_upload_sideload_error'],
    ['broken off', 'a.jpg', bytes.then((all) => all.subarray(0, all.length / 2)), 400, 'rest_upload_sideload_error'],
    [
      'a small one broken off',
      'a.jpg',
      noisy(140, 140).then((all) => all.subarray(0, all.length / 2)),
      400,
      'rest_upload_sideload_error',
    ],
    ['a bomb', 'a.png', bomb(50_000, 50_000), 413, 'image_too_large'],
    ['a bomb of many pictures', 'a.gif', moving(501, 10), 413, 'image_too_large'],
    ['empty', 'a.jpg', Buffer.alloc(0), 400, 'rest_upload_no_data'],
    ['a drawing', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, 'rest_upload_sideload_error'],
    ['a picture named as a script', 'a.php', picture(10, 10), 400, 'rest_upload_sideload_error'],
  ];
  test('is refused and leaves nothing behind when it is not a picture or too large', async () => {
    const site = await aSite(engine);
    await checkRows(refusals, async ([, name, body, status, code]) => {
      const answer = await send(site, 'author', name, await body);
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
      assert.deepEqual(await left(site), nothing);
      assert.equal((await site.get(media)).headers.get('x-wp-total'), '0');
    });
  });

  test('is refused as a form is where it came in one', async () => {
    const site = await aSite(engine);
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n<html>\r\n--b--\r\n';
    const answer = await site.as('author').post(media, form, { 'content-type': 'multipart/form-data; boundary=b' });
    assert.equal(answer.body.code, 'rest_upload_unknown_error');
  });

  test('is deleted for good with all that was made of it, and its names are free again', async () => {
    const site = await aSite(engine);
    const bytes = await picture(400, 300);
    const { body } = await send(site, 'author', 'a.jpg', bytes);
    await send(site, 'editor', 'b.txt', 'stays');
    assert.equal((await site.as('author').delete(`${media}/${body.id}`)).body.code, 'rest_trash_not_supported');
    assert.equal((await site.as('author').delete(`${media}/${body.id}?force=true`)).body.deleted, true);
    assert.deepEqual(kept(site), ['b.txt']);
    assert.equal((await site.get(`${media}/${body.id}`)).status, 404);
    assert.equal((await send(site, 'author', 'a.jpg', bytes)).body.filename, 'a.jpg');
  });

  test('gets the copies it lacks when they are asked for', async () => {
    const site = await aSite(engine);
    const { body } = await send(site, 'author', 'a.jpg', await picture(400, 300), '?generate_sub_sizes=false');
    assert.deepEqual([body.missing_image_sizes, kept(site)], [['medium', 'thumbnail'], ['a.jpg']]);
    const path = `${media}/${body.id}/post-process`;
    assert.equal((await site.as('contributor').post(path, { action: 'create-image-subsizes' })).status, 403);
    const made = await site.as('author').post(path, { action: 'create-image-subsizes' });
    assert.deepEqual(Object.keys(made.body.media_details.sizes), ['medium', 'thumbnail', 'full']);
    assert.deepEqual([made.body.missing_image_sizes, kept(site).length], [[], 3]);
    await site.as('author').delete(`${media}/${body.id}?force=true`);
    assert.deepEqual(kept(site), []);
  });

  test('is seen, changed and deleted by whom its author and its post say', async () => {
    const site = await aSite(engine);
    const secret = await site.as('editor').post('/api/core/v2/posts', { title: 'x', status: 'private' });
    const { body } = await send(site, 'editor', 'a.txt', 'hello', `?post=${secret.body.id}`);
    const other = await send(site, 'author', 'b.txt', 'hello');
    assert.equal((await site.get(`${media}/${body.id}`)).status, 401);
    assert.equal((await site.as('editor').get(`${media}/${body.id}`)).status, 200);
    assert.equal((await site.get(`${media}/${other.body.id}`)).status, 200);
    assert.equal((await site.as('author').post(`${media}/${body.id}`, { title: 'y' })).body.code, 'rest_cannot_edit');
    assert.equal((await site.as('author').delete(`${media}/${body.id}?force=true`)).body.code, 'rest_cannot_delete');
    assert.equal(
      (await send(site, 'author', 'c.txt', 'hello', `?post=${secret.body.id}`)).body.code,
      'rest_cannot_edit',
    );
    const moved = await site.as('author').post(`${media}/${other.body.id}`, { post: secret.body.id });
    assert.equal(moved.body.code, 'rest_cannot_edit');
    const below = await send(site, 'editor', 'c.txt', 'hello', `?post=${other.body.id}`);
    assert.equal(below.body.code, 'rest_invalid_param');
    const edited = await site.as('author').post(`${media}/${body.id}/edit`, { src: body.source_url, rotation: 90 });
    assert.equal(edited.body.code, 'rest_cannot_edit_image');
  });

  test('tells how long it plays', async () => {
    const site = await aSite(engine);
    const sound = Buffer.alloc(44 + 88_200);
    sound.write('RIFF');
    sound.write('WAVEfmt ', 8);
    sound.writeUInt32LE(16, 16);
    sound.writeUInt32LE(44_100, 24);
    sound.writeUInt32LE(44_100, 28);
    sound.write('data', 36);
    sound.writeUInt32LE(88_200, 40);
    const { body } = await send(site, 'author', 'a.wav', sound);
    const { length, length_formatted, mime_type, dataformat } = body.media_details;
    assert.deepEqual([length, length_formatted, mime_type, dataformat], [2, '0:02', 'audio/wav', 'wav']);
  });
});
