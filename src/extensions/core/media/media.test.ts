import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { bomb, lying, moving, noisy, picture, quartered } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { aside, fetched, kept, left, media, nothing, quarters, send } from '#test/uploads.ts';

interface Sized {
  readonly source_url: string;
  readonly width: number;
  readonly height: number;
}

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

  test('is shown by a copy when it is larger than any screen, and the original stays', async () => {
    const site = await aSite(engine);
    const { body } = await send(site, 'author', 'wide.png', await picture(4000, 1000, 'png'));
    const { file, width, height, original_image, sizes } = body.media_details;
    assert.deepEqual([file, width, height, original_image], ['2026/11/wide-scaled.png', 2560, 640, 'wide.png']);
    assert.equal(sizes['2048x2048'].file, 'wide-2048x512.png');
    assert.ok(kept(site).includes('wide.png'));
  });

  test('looks the same in every copy of a large one, however long it is, and whatever shines through', async () => {
    const site = await aSite(engine);
    const clear = await sharp({ create: { width: 3000, height: 1600, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer();
    for (const [name, bytes, first] of [
      ['a.jpg', await quartered(3000, 1600), 'red'],
      ['long.png', await quartered(6000, 400, 'png'), 'red'],
      ['clear.png', clear, undefined],
    ] as const) {
      const { body } = await send(site, 'author', name, bytes);
      for (const [label, { source_url, width, height }] of Object.entries<Sized>(body.media_details.sizes)) {
        const copy = (await fetched(site, source_url)).bytes;
        const seen = await sharp(copy).metadata();
        assert.deepEqual([seen.width, seen.height, seen.hasAlpha], [width, height, name.endsWith('.png')], label);
        const [colour] = await quarters(copy);
        if (first !== undefined && label !== 'thumbnail') assert.equal(colour, first, label);
        if (first === undefined) assert.equal((await sharp(copy).stats()).channels[3]!.max, 0);
      }
    }
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
  describe('is refused and leaves nothing where it is', async () => {
    const site = await aSite(engine);
    for (const [what, name, body, status, code] of refusals) {
      test(`${what}: ${code}`, async () => {
        const answer = await send(site, 'author', name, await body);
        assert.deepEqual([answer.status, answer.body.code], [status, code]);
        assert.deepEqual(await left(site), nothing);
        assert.equal((await site.get(media)).headers.get('x-wp-total'), '0');
      });
    }
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
  for (const [range, status, text, part] of parts) {
    test(`is sent in part: ${range}`, async () => {
      const answer = await get({ range });
      assert.deepEqual([answer.status, answer.text, answer.headers.get('content-range')], [status, text, part]);
    });
  }

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
