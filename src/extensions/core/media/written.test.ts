// What cameras and editors write into pictures, as records tell it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const exif = {
  IFD0: { Model: 'Camera', Artist: 'Ada', ImageDescription: 'A hill', Copyright: 'Somebody' },
  IFD2: { FNumber: '28/10', ExposureTime: '1/50', FocalLength: '35/1', DateTimeOriginal: '2026:11:20 12:00:00' },
};

/** As many entries as fit, each of which claims so much from one place. */
function greedy(size: number, type: number, count: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('II*\0\x08', 'latin1');
  const entries = Math.min(65_535, Math.floor((size - 10) / 12));
  bytes.writeUInt16LE(entries, 8);
  const tags = [0x010e, 0x0110, 0x829a, 0x829d, 0x8769, 0x83bb, 0x9003, 0x8827];
  for (let entry = 0; entry < entries; entry++) {
    const at = 10 + entry * 12;
    bytes.writeUInt16LE(tags[entry % tags.length]!, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(16, at + 8);
  }
  return bytes;
}

function inPicture(png: Buffer, said: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from('eXIf'), said]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(said.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, 33), length, named, sum, png.subarray(33)]);
}

/** Editors write their words into a part of their own. */
function inPhoto(jpeg: Buffer, words: readonly (readonly [number, string])[]): Buffer {
  const sets = words.map(([set, word]) =>
    Buffer.concat([Buffer.from([0x1c, 2, set, 0, Buffer.byteLength(word)]), Buffer.from(word)]),
  );
  const said = Buffer.concat(sets);
  const resource = Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0', 'latin1'),
    Buffer.alloc(2),
    said,
  ]);
  resource.writeUInt16BE(said.length, resource.length - said.length - 2);
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(resource.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, resource, jpeg.subarray(2)]);
}

eachEngine('What is written into a picture', async (engine) => {
  const site = await aSite(engine);
  const told = async (name: string, bytes: Buffer) => {
    const { status, body } = await send(site, 'author', name, bytes);
    assert.equal(status, 201);
    return body.media_details.image_meta;
  };

  test('is told of in every format', () =>
    checkRows(['jpeg', 'png', 'webp', 'avif'] as const, async (format) => {
      const bytes = await sharp(await picture(20, 20))
        .withExif(exif)
        .toFormat(format)
        .toBuffer();
      const { aperture, credit, camera, caption, created_timestamp, copyright, focal_length, shutter_speed } =
        await told(`a.${format}`, bytes);
      assert.deepEqual([camera, credit, caption, copyright], ['Camera', 'Ada', 'A hill', 'Somebody']);
      assert.deepEqual([aperture, shutter_speed, focal_length], ['2.8', '0.02', '35']);
      assert.equal(created_timestamp, String(Date.UTC(2026, 10, 20, 12) / 1_000));
    }));

  test('is told of as editors put it', async () => {
    const words = [
      [5, 'A title'],
      [25, 'one'],
      [25, 'zwei ä'],
      [110, 'The credit'],
      [116, 'Mine'],
      [120, 'Said'],
    ] as const;
    const { title, keywords, credit, copyright, caption } = await told('a.jpg', inPhoto(await picture(20, 20), words));
    assert.deepEqual([title, credit, copyright, caption], ['A title', 'The credit', 'Mine', 'Said']);
    assert.deepEqual(keywords, ['one', 'zwei ä']);
  });

  const lies = [
    [1_000_000, 4, 240_000],
    [65_000, 5, 8_000],
    [65_000, 2, 64_000],
    [65_000, 12, 0xffff_ffff],
    [20, 3, 1],
  ] as const;
  for (const [size, type, count] of lies) {
    test(`takes no time and no memory, whatever it claims: ${size} bytes, ${count} of kind ${type}`, async () => {
      const bytes = inPicture(await picture(20, 20, 'png'), greedy(size, type, count));
      const [begun, before] = [process.cpuUsage().user, process.memoryUsage.rss()];
      await told('a.png', bytes);
      assert.ok(process.cpuUsage().user - begun < 1_500_000);
      assert.ok(process.memoryUsage.rss() - before < 200 * 2 ** 20);
    });
  }
});
