// Pictures made of pictures, and copies that are made later, as clients ask for them.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { noisy, picture, quartered } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { aside, fetched, kept, known, left, media, nothing, quarters, send } from '#test/uploads.ts';

const edit = (site: TestSite, { id, source_url }: { id: number; source_url: string }, body: object, role = 'author') =>
  site.as(role).post(`${media}/${id}/edit`, { src: source_url, ...body });

const rotate = (angle: number) => ({ type: 'rotate', args: { angle } });
const flip = (horizontal: boolean, vertical: boolean) => ({ type: 'flip', args: { flip: { horizontal, vertical } } });
const crop = (left: number, top: number, width: number, height: number) => ({
  type: 'crop',
  args: { left, top, width, height },
});

const where = (site: TestSite, name: string): string => join(site.config.data, 'media', '2026/11', name);

eachEngine('A picture that is changed', async (engine) => {
  const site = await aSite(engine);
  const whole = await send(site, 'author', 'a.png', await quartered(400, 200, 'png'));

  const changes: readonly (readonly [what: string, body: object, size: string, colours: string])[] = [
    ['turned right', { modifiers: [rotate(90)] }, '200×400', 'blue red yellow green'],
    ['turned left', { modifiers: [rotate(-90)] }, '200×400', 'green yellow red blue'],
    ['turned more than once around', { modifiers: [rotate(540)] }, '400×200', 'yellow blue green red'],
    ['mirrored from side to side', { modifiers: [flip(true, false)] }, '400×200', 'green red yellow blue'],
    ['mirrored upside down', { modifiers: [flip(false, true)] }, '400×200', 'blue yellow red green'],
    ['mirrored both ways', { modifiers: [flip(true, true)] }, '400×200', 'yellow blue green red'],
    ['cut', { modifiers: [crop(50, 0, 50, 50)] }, '200×100', 'green green green green'],
    ['cut to what there is', { modifiers: [crop(75, 50, 100, 100)] }, '100×100', 'yellow yellow yellow yellow'],
    ['turned, then cut', { modifiers: [rotate(90), crop(0, 0, 50, 50)] }, '100×200', 'blue blue blue blue'],
    ['cut, then turned', { modifiers: [crop(0, 0, 50, 100), rotate(90)] }, '200×200', 'blue red blue red'],
    ['turned in the older way', { rotation: 180 }, '400×200', 'yellow blue green red'],
    ['cut in the older way', { x: 0, y: 50, width: 50, height: 50 }, '200×100', 'blue blue blue blue'],
    ['both in the older way', { rotation: 90, x: 0, y: 0, width: 50, height: 50 }, '100×200', 'blue blue blue blue'],
  ];
  test('is turned, mirrored and cut', () =>
    checkRows(changes, async ([, body, size, colours]) => {
      const answer = await edit(site, whole.body, body);
      assert.equal(answer.status, 201, answer.text);
      const { media_details, source_url } = answer.body;
      assert.equal(`${media_details.width}×${media_details.height}`, size);
      assert.equal((await quarters((await fetched(site, source_url)).bytes)).join(' '), colours);
      assert.deepEqual(aside(site), []);
    }));

  test('is refused before any of it is made where a turn would make it huge', async () => {
    const thin = await send(site, 'author', 'thin.png', await picture(60_000, 1, 'png'));
    const often = { modifiers: Array(20).fill(rotate(45)) };
    const asked = [
      [thin, { modifiers: [rotate(45)] }],
      [thin, { modifiers: [rotate(45), crop(0, 0, 1, 1)] }],
      [whole, often],
    ] as const;
    for (const [of, body] of asked) {
      const { status, body: said } = await edit(site, of.body, body);
      assert.deepEqual([status, said.code], [413, 'image_too_large']);
      assert.deepEqual(aside(site), []);
    }
  });

  const refusals: readonly (readonly [what: string, body: object, status: number, code: string])[] = [
    ['nothing', {}, 400, 'rest_image_not_edited'],
    ['nothing that changes it', { modifiers: [rotate(720), flip(false, false)] }, 400, 'rest_image_not_edited'],
    ['all of it', { modifiers: [crop(0, 0, 100, 100)] }, 400, 'rest_image_not_edited'],
    ['half of a cut in the older way', { x: 1, width: 10 }, 400, 'rest_image_not_edited'],
    ['no change of a list', { modifiers: [] }, 400, 'rest_invalid_param'],
    ['too many changes', { modifiers: Array(21).fill(rotate(90)) }, 400, 'rest_invalid_param'],
    ['a change nobody knows', { modifiers: [{ type: 'blur', args: {} }] }, 400, 'rest_invalid_param'],
    ['a turn without an angle', { modifiers: [{ type: 'rotate', args: {} }] }, 400, 'rest_invalid_param'],
    ['a cut outside of it', { modifiers: [crop(-10, 0, 50, 50)] }, 400, 'rest_invalid_param'],
    ['a cut larger than it', { modifiers: [crop(0, 0, 101, 50)] }, 400, 'rest_invalid_param'],
    ['a cut that leaves nothing', { modifiers: [crop(100, 0, 50, 50)] }, 400, 'rest_image_crop_failed'],
    ['a whole turn in the older way', { rotation: 360 }, 400, 'rest_invalid_param'],
    ['another address', { src: 'http://site.test/a.png', rotation: 90 }, 404, 'rest_unknown_attachment'],
    ['no address', { src: 'a.png', rotation: 90 }, 404, 'rest_unknown_attachment'],
  ];
  test('is refused where a request makes no sense', () =>
    checkRows(refusals, async ([, body, status, code]) => {
      const before = await left(site);
      const answer = await edit(site, whole.body, body);
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
      assert.deepEqual(await left(site), before);
    }));

  test('is refused without an address', async () => {
    const answer = await site.as('author').post(`${media}/${whole.body.id}/edit`, { rotation: 90 });
    assert.deepEqual([answer.status, answer.body.code], [400, 'rest_missing_callback_param']);
  });

  test('may be named by any of its copies, by those of another not', async () => {
    const small = whole.body.media_details.sizes.medium.source_url;
    const own = await edit(site, whole.body, { src: small, rotation: 90 });
    assert.deepEqual([own.status, own.body.media_details.width], [201, 200]);
    const other = await send(site, 'author', 'other.png', await picture(400, 200, 'png'));
    assert.equal((await edit(site, other.body, { src: small, rotation: 90 })).body.code, 'rest_unknown_attachment');
  });

  test('is no text, no sound, and none that nobody can read here', async () => {
    const files = [
      ['a.txt', 'hello'],
      ['a.tif', await picture(10, 10, 'tiff')],
    ] as const;
    for (const [name, bytes] of files) {
      const { body } = await send(site, 'author', name, bytes);
      const answer = await edit(site, body, { rotation: 90 });
      assert.deepEqual([answer.status, answer.body.code], [400, 'rest_cannot_edit_file_type'], name);
    }
  });

  test('says what the first said, unless something else is said of it, and stands by itself', async () => {
    const first = await send(site, 'author', 'said.jpg', await picture(400, 300));
    const said = { title: 'A', caption: 'B', description: 'C', alt_text: 'D' };
    await site.as('author').post(`${media}/${first.body.id}`, said);
    const copied = await edit(site, first.body, { rotation: 90 });
    const { id, title, caption, description, alt_text } = (
      await site.as('author').get(`${media}/${copied.body.id}?context=edit`)
    ).body;
    assert.deepEqual([title.raw, caption.raw, description.raw, alt_text], ['A', 'B', 'C', 'D']);
    assert.equal(copied.headers.get('location'), `http://site.test/api/core/v2/media/${id}`);
    const post = await site.as('author').post('/api/core/v2/posts', { title: 'x' });
    const other = await edit(site, first.body, { rotation: 90, title: 'E', alt_text: 'F', post: post.body.id });
    assert.deepEqual([other.body.title.rendered, other.body.alt_text, other.body.post], ['E', 'F', post.body.id]);
    assert.equal(other.body.filename, 'said-edited-1.jpg');
    await site.as('author').delete(`${media}/${first.body.id}?force=true`);
    assert.equal((await fetched(site, copied.body.source_url)).status, 200);
  });

  test('is made from all of it, where it is shown by a smaller one', async () => {
    const wide = await send(site, 'author', 'wide.jpg', await picture(4000, 1000));
    const { body } = await edit(site, wide.body, { modifiers: [crop(0, 0, 60, 100)] });
    assert.deepEqual([body.media_details.width, body.media_details.height], [2400, 1000]);
    assert.equal(body.filename, 'wide-edited.jpg');
  });

  test('shows what is behind it in its corners: nothing, or white', async () => {
    const jpeg = await send(site, 'author', 'c.jpg', await quartered(200, 200));
    const corner = async (from: object) => {
      const { body } = await edit(site, from as never, { modifiers: [rotate(45)] });
      const { bytes } = await fetched(site, body.source_url);
      return [...(await sharp(bytes).extract({ left: 1, top: 1, width: 1, height: 1 }).raw().toBuffer())].at(-1);
    };
    assert.deepEqual([await corner(jpeg.body), await corner(whole.body)], [255, 0]);
  });

  test('stays in its format', () =>
    checkRows(['jpeg', 'webp', 'gif', 'avif'] as const, async (format) => {
      const { body } = await send(site, 'author', `f.${format}`, await quartered(200, 100, format));
      const { status, body: made } = await edit(site, body, { rotation: 90 });
      assert.deepEqual([status, made.mime_type], [201, `image/${format}`]);
      const { bytes } = await fetched(site, made.source_url);
      assert.deepEqual(await quarters(bytes), ['blue', 'red', 'yellow', 'green']);
    }));

  test('is refused where its file is gone or spoilt', async () => {
    const { body } = await send(site, 'author', 'gone.jpg', await picture(100, 100));
    writeFileSync(where(site, 'gone.jpg'), 'spoilt');
    const spoilt = await edit(site, body, { rotation: 90 });
    assert.deepEqual([spoilt.status, spoilt.body.code], [500, 'rest_unknown_image_file_type']);
    rmSync(where(site, 'gone.jpg'));
    const gone = await edit(site, body, { rotation: 90 });
    assert.deepEqual([gone.status, gone.body.code], [404, 'rest_unknown_attachment']);
    assert.deepEqual(aside(site), []);
  });

  test('is refused to whoever may not', async () => {
    for (const [role, status] of [
      ['contributor', 403],
      ['subscriber', 403],
    ] as const) {
      const answer = await edit(site, whole.body, { rotation: 90 }, role);
      assert.deepEqual([answer.status, answer.body.code], [status, 'rest_cannot_edit_image'], role);
    }
    const nobody = await site.post(`${media}/${whole.body.id}/edit`, { src: whole.body.source_url, rotation: 90 });
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_cannot_edit_image']);
  });
});

eachEngine('Copies for which there was no time', async (engine) => {
  const given = { milliseconds: 60_000 };
  const post = (site: TestSite, id: string | number) =>
    site.as('author').post(`${media}/${id}/post-process`, { action: 'create-image-subsizes' });
  const site = await aSite(engine, { picturesTake: () => given.milliseconds });

  /** A site that has no time for copies, and the number of the record it tells of. */
  async function hurried(name: string, bytes: Buffer): Promise<string> {
    given.milliseconds = 0;
    const answer = await send(site, 'author', name, bytes);
    assert.deepEqual([answer.status, answer.body.code], [503, 'rest_upload_unfinished']);
    return answer.headers.get('x-wp-upload-attachment-id')!;
  }

  test('are made once they are asked for again', async () => {
    const id = await hurried('a.jpg', await picture(400, 300));
    const { body } = await site.as('author').get(`${media}/${id}?context=edit`);
    assert.deepEqual([body.missing_image_sizes, body.media_details.sizes], [['medium', 'thumbnail'], {}]);
    const again = await post(site, id);
    assert.deepEqual([again.status, again.headers.get('x-wp-upload-attachment-id')], [503, id]);
    given.milliseconds = 60_000;
    const done = await post(site, id);
    assert.deepEqual([done.status, done.body.missing_image_sizes], [200, []]);
    assert.deepEqual(Object.keys(done.body.media_details.sizes), ['medium', 'thumbnail', 'full']);
    assert.equal((await fetched(site, done.body.media_details.sizes.medium.source_url)).status, 200);
    assert.equal((await post(site, id)).status, 200);
    assert.deepEqual(kept(site), ['a-150x150.jpg', 'a-300x225.jpg', 'a.jpg']);
  });

  test('are made with the one that stands for a large picture', async () => {
    const id = await hurried('wide.jpg', await picture(3000, 1000));
    given.milliseconds = 60_000;
    const { body } = await post(site, id);
    const { file, width, height, original_image } = body.media_details;
    assert.deepEqual([file, width, height, original_image], ['2026/11/wide-scaled.jpg', 2560, 853, 'wide.jpg']);
    assert.match(body.source_url, /wide-scaled\.jpg$/);
    assert.equal((await fetched(site, body.source_url)).status, 200);
  });

  test('are made once, however many ask, and what is said of it meanwhile stays', async () => {
    const id = await hurried('many.jpg', await noisy(800, 600));
    given.milliseconds = 60_000;
    const say = () => site.as('author').post(`${media}/${id}`, { alt_text: 'words' });
    const answers = await Promise.all([post(site, id), post(site, id), say(), post(site, id)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { body } = await site.as('author').get(`${media}/${id}?context=edit`);
    assert.deepEqual([body.alt_text, body.missing_image_sizes], ['words', []]);
    const files = Object.values<{ file: string }>(body.media_details.sizes).map(({ file }) => file);
    assert.deepEqual(
      kept(site)
        .filter((name) => name.startsWith('many'))
        .sort(),
      files.sort(),
    );
  });

  test('go with the record, made or not', async () => {
    const id = await hurried('b.jpg', await picture(400, 300));
    const items: { id: number }[] = (await site.get(`${media}?per_page=100&_fields=id`)).body;
    assert.ok(items.some((one) => String(one.id) === id));
    for (const one of items) await site.as('author').delete(`${media}/${one.id}?force=true`);
    assert.deepEqual(await left(site), nothing);
  });

  test('are refused where the picture is gone or spoilt', async () => {
    const id = await hurried('c.jpg', await picture(400, 300));
    given.milliseconds = 60_000;
    writeFileSync(where(site, 'c.jpg'), 'spoilt');
    const spoilt = await post(site, id);
    assert.deepEqual([spoilt.status, spoilt.body.code], [500, 'rest_unknown_image_file_type']);
    rmSync(where(site, 'c.jpg'));
    const gone = await post(site, id);
    assert.deepEqual([gone.status, gone.body.code], [404, 'file_not_found']);
    assert.equal((await known(site)).posts, 1);
  });

  describe('of a changed picture', () => {
    test('leave it unchanged, where there was no time for that either', async () => {
      given.milliseconds = 60_000;
      const { body } = await send(site, 'author', 'd.jpg', await picture(400, 300));
      const before = await left(site);
      given.milliseconds = 0;
      const answer = await edit(site, body, { rotation: 90 });
      assert.deepEqual([answer.status, answer.body.code], [500, 'rest_unknown_image_file_type']);
      assert.deepEqual(await left(site), before);
      given.milliseconds = 60_000;
    });
  });
});
