import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { eachEngine } from '#test/databases.ts';
import { quartered } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { fetched, quarters, send } from '#test/uploads.ts';

interface Sized {
  readonly source_url: string;
  readonly width: number;
  readonly height: number;
}

eachEngine('A picture', (engine) => {
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
});
