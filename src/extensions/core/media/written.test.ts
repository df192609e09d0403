// What cameras and editors write into pictures, as records tell it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { falseExif, greedy, inPicture } from '#test/exif.ts';
import { picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const exif = {
  IFD0: { Model: 'Camera', Artist: 'Ada', ImageDescription: 'A hill', Copyright: 'Somebody' },
  IFD2: { FNumber: '28/10', ExposureTime: '1/50', FocalLength: '35/1', DateTimeOriginal: '2026:11:20 12:00:00' },
};

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

  test('is passed over, whatever it claims', () =>
    checkRows(falseExif, async ([size, type, count]) => {
      await told('a.png', inPicture(await picture(20, 20, 'png'), greedy(size, type, count)));
    }));
});
