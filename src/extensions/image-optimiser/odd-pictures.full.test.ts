// More than 300 odd pictures go through upload, sizes, optimization and restore.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { testEngine } from '#test/databases.ts';
import { lying, moving, photo, picture, quartered } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { aside, fetched, imageOptimizer, kept, send } from '#test/uploads.ts';

interface Odd {
  readonly name: string;
  readonly bytes: Buffer;
}

const sides = [1, 2, 3, 7, 8, 9, 16, 17, 63, 149, 150, 151, 299, 301, 769];

/** 21 kinds in 15 sizes. */
async function oddPictures(): Promise<Odd[]> {
  const all: Odd[] = [];
  for (const side of sides) {
    const other = Math.max(1, Math.round(side / 3));
    const add = (kind: string, ending: string, bytes: Buffer) => all.push({ name: `${kind}-${side}.${ending}`, bytes });
    const jpeg = await photo(side, other, 'jpeg');
    const png = await photo(side, other, 'png');
    add('photo', 'jpg', jpeg);
    add('photo-tall', 'jpg', await photo(other, side, 'jpeg'));
    add('progressive', 'jpg', await sharp(png).jpeg({ progressive: true, quality: 100 }).toBuffer());
    add('full-color', 'jpg', await sharp(png).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer());
    add('gray', 'jpg', await sharp(png).toColourspace('b-w').jpeg().toBuffer());
    add('cmyk', 'jpg', await sharp(png).removeAlpha().toColourspace('cmyk').jpeg().toBuffer());
    add('turned', 'jpg', await sharp(png).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    add('mirrored', 'jpg', await sharp(png).jpeg().withMetadata({ orientation: 4 }).toBuffer());
    add('wide-gamut', 'jpg', await sharp(png).withIccProfile('p3').jpeg().toBuffer());
    add('trailing', 'jpg', Buffer.concat([jpeg, jpeg]));
    add('opaque', 'png', png);
    add('glass', 'png', await photo(side, other, 'png', 100));
    add('palette', 'png', await sharp(png).png({ palette: true, colours: 16 }).toBuffer());
    add('deep', 'png', await sharp(png).toColourspace('rgb16').png().toBuffer());
    add('interlaced', 'png', await sharp(png).png({ progressive: true }).toBuffer());
    add('flat', 'png', await picture(side, other, 'png'));
    add('gray', 'png', await sharp(png).toColourspace('b-w').png().toBuffer());
    add(
      'lossy',
      'webp',
      await sharp(png)
        .webp({ quality: 100 })
        .withExif({ IFD0: { Model: 'x' } })
        .toBuffer(),
    );
    add('lossless', 'webp', await sharp(png).webp({ lossless: true }).toBuffer());
    add('still', 'gif', await sharp(png).gif().toBuffer());
    add(
      'still',
      'avif',
      await sharp(await photo(Math.max(16, side), 16, 'png'))
        .avif({ quality: 80 })
        .toBuffer(),
    );
  }
  all.push({ name: 'moving.gif', bytes: await moving(5, 200) });
  all.push({
    name: 'moving.webp',
    bytes: await sharp(await moving(5, 200), { animated: true })
      .webp()
      .toBuffer(),
  });
  all.push({ name: 'lying.jpg', bytes: await lying(700, 400) });
  all.push({ name: 'large.jpg', bytes: await photo(3000, 2000, 'jpeg') });
  all.push({ name: 'large.png', bytes: await photo(2800, 900, 'png') });
  all.push({ name: 'quarters.png', bytes: await quartered(1200, 800, 'png') });
  return all;
}

interface Uploaded extends Odd {
  readonly id: number;
  readonly url: string;
  readonly details: unknown;
}

async function uploadAll(site: TestSite): Promise<Uploaded[]> {
  const uploaded: Uploaded[] = [];
  for (const one of await oddPictures()) {
    const { status, body } = await send(site, 'administrator', one.name, one.bytes);
    assert.equal(status, 201, `${one.name}: ${JSON.stringify(body)}`);
    uploaded.push({ ...one, id: body.id, url: body.source_url, details: body.media_details });
  }
  return uploaded;
}

/** Why it is not as it should be after it was optimized. */
async function faultsAfter(site: TestSite, { id }: Uploaded): Promise<unknown[]> {
  const faults: unknown[] = [];
  const { imgopt, source_url, media_details } = await imageOptimizer(site).record(id);
  if (imgopt.status === 'failed' || !(imgopt.size_after <= imgopt.size_before)) faults.push(imgopt);
  const shown = await fetched(site, source_url);
  const { width, height, orientation = 1 } = await sharp(shown.bytes, { animated: false }).metadata();
  const upright = orientation >= 5 ? [height, width] : [width, height];
  if (`${upright}` !== `${[media_details.width, media_details.height]}`) faults.push(upright);
  if (shown.bytes.includes('Camera of a family')) faults.push('says who took it');
  for (const accept of ['image/webp', 'image/avif']) {
    const { headers, bytes } = await fetched(site, source_url, { accept });
    const { format } = await sharp(bytes).metadata();
    const type = headers.get('content-type')?.replace('image/', '');
    if ((format === 'heif' ? 'avif' : format) !== type) faults.push([accept, type, format]);
  }
  return faults;
}

/** Why it is not as it was uploaded. */
async function faultsRestored(site: TestSite, one: Uploaded): Promise<unknown[]> {
  const { post, record } = imageOptimizer(site);
  const answer = await post({ action: 'restore', id: one.id });
  const faults: unknown[] = answer.code === undefined || answer.code === 'imgopt_no_backup' ? [] : [answer];
  const now = await record(one.id);
  if (now.source_url !== one.url) faults.push(now.source_url);
  // Copies of what has no backup stay as they are.
  if (answer.code === undefined && !isDeepStrictEqual(now.media_details, one.details)) faults.push(now.media_details);
  const original = readFileSync(join(site.config.data, 'media/2026/11', one.name));
  return original.equals(one.bytes) ? faults : [...faults, 'is not as it was'];
}

async function offendersAmong(all: readonly Uploaded[], faultsOf: (one: Uploaded) => Promise<unknown[]>) {
  const offenders: unknown[] = [];
  for (const one of all) {
    const faults = await faultsOf(one);
    if (faults.length > 0) offenders.push([one.name, ...faults]);
  }
  return offenders;
}

describe('Odd pictures', () => {
  const engine = testEngine('sqlite');

  test('of more than 16 megapixels get their colors at half resolution', async () => {
    const site = await aSite(engine);
    const drawn = sharp(await photo(410, 400, 'png')).resize(4_100, 4_000);
    const bytes = await drawn.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
    const { body } = await send(site, 'administrator', 'poster.jpg', bytes);
    assert.equal((await imageOptimizer(site).post({ action: 'optimize', id: body.id })).status, 'optimized');
    const original = await sharp(join(site.config.data, 'media/2026/11/poster.jpg')).metadata();
    const { width, height, chromaSubsampling, isProgressive } = original;
    assert.deepEqual([width, height, chromaSubsampling, isProgressive], [4_100, 4_000, '4:2:0', true]);
  });

  for (const level of [0, 1, 2])
    test(`go through upload, sizes, optimization at level ${level}, and restore`, async () => {
      const site = await aSite(engine);
      const { post } = imageOptimizer(site);
      const settings = { lossy: level, webp: true, avif: level === 2, resize: level === 2 };
      await post([{ name: 'Test', config: { configs: { settings, resize_sizes: { width: 700, height: 700 } } } }]);
      await post({ action: 'apply', id: 1 });
      const all = await uploadAll(site);
      assert.ok(all.length >= 300, `${all.length}`);
      const before = kept(site);
      for (let slice = { offset: 0, is_capped: true }; slice.is_capped; )
        slice = await post({ action: 'bulk', limit: 50, offset: slice.offset });
      assert.deepEqual(await offendersAmong(all, (one) => faultsAfter(site, one)), []);
      const stats = await post({ action: 'stats' });
      assert.deepEqual([stats.total_images, stats.remaining, stats.failed], [all.length, 0, 0]);
      console.log(`Level ${level}: ${stats.optimized} optimized, ${stats.human} saved (${stats.percent} %)`);

      assert.deepEqual(await offendersAmong(all, (one) => faultsRestored(site, one)), []);
      const left = kept(site);
      assert.deepEqual(
        before.filter((name) => !left.includes(name)),
        [],
      );
      assert.deepEqual(
        left.filter((name) => name.includes('.bak.')),
        [],
      );
      assert.deepEqual(aside(site), []);
    });
});
