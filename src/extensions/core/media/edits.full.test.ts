// own process
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture, quartered } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';

const turn = { type: 'rotate', args: { angle: 45 } };

eachEngine('A picture that is changed', (engine) => {
  test('is refused in little time when a turn would make it huge', async () => {
    const site = await aSite(engine);
    const thin = (await send(site, 'author', 'thin.png', await picture(60_000, 1, 'png'))).body;
    const whole = (await send(site, 'author', 'a.png', await quartered(400, 200, 'png'))).body;
    for (const [{ id, source_url }, modifiers] of [
      [thin, [turn]],
      [whole, Array(20).fill(turn)],
    ]) {
      const begun = process.cpuUsage().user;
      const { status } = await site.as('author').post(`${media}/${id}/edit`, { src: source_url, modifiers });
      assert.equal(status, 413);
      assert.ok(process.cpuUsage().user - begun < 2_000_000);
    }
  });
});
