// own process
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { falseExif, greedy, inPicture } from '#test/exif.ts';
import { picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

eachEngine('What is written into a picture', (engine) => {
  test('takes little time and memory, whatever it claims', async () => {
    const site = await aSite(engine);
    await checkRows(falseExif, async ([size, type, count]) => {
      const bytes = inPicture(await picture(20, 20, 'png'), greedy(size, type, count));
      const [begun, before] = [process.cpuUsage().user, process.memoryUsage.rss()];
      assert.equal((await send(site, 'author', 'a.png', bytes)).status, 201);
      assert.ok(process.cpuUsage().user - begun < 1_500_000);
      assert.ok(process.memoryUsage.rss() - before < 200 * 2 ** 20);
    });
  });
});
