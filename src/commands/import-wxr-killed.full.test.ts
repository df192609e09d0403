import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { aPlace } from '#test/moved.ts';
import { author, comment, exportOf, item, oldSite } from '#test/wxr.ts';

eachEngine('The command import wxr', (engine) => {
  test('goes on where it was when it is killed', async () => {
    const items = Array.from({ length: 600 }, (_, n) =>
      item(
        {
          title: `Post ${n}`,
          'wp:post_id': 10 + n,
          'wp:post_parent': n % 3 === 0 ? 10 + ((n + 1) % 600) : 0,
          'wp:post_type': n % 3 < 2 ? 'page' : 'post',
          'content:encoded': `${oldSite}/${n}`,
          guid: `${oldSite}/?p=${n}`,
        },
        comment(n + 1),
      ),
    );
    const text = exportOf(author('ada'), ...items);
    const [whole, broken] = [await aPlace(engine), await aPlace(engine)];
    assert.equal((await whole.arrive(whole.file(text))).code, 0);
    const path = broken.file(text);
    const running = startGatehouse(['import', 'wxr', path, ...broken.where], broken.env);
    while ((await broken.rows('arrived')).length < 150 && running.child.exitCode === null)
      await new Promise((go) => setImmediate(go));
    running.child.kill('SIGKILL');
    await running.ended;
    const left = (await broken.rows('posts')).length;
    assert.ok(left > 0 && left < 600, `${left}`);
    const { code, told } = await broken.arrive(path);
    assert.deepEqual([code, told?.errors], [0, []]);
    const same = ['posts', 'totals', 'arrived', 'old_slugs'];
    assert.deepEqual(await broken.everything(same), await whole.everything(same));
    assert.equal((await broken.rows('comments')).length, 600);
  });
});
