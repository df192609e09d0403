import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

eachEngine('a title', (engine) => {
  test('is kept without the space around it, whoever writes it and on either face', async () => {
    const site = await aSite(engine);
    for (const base of ['/api/core/v2', '/wp-json/wp/v2'])
      for (const role of ['administrator', 'author']) {
        const person = site.as(role);
        const { body: made } = await person.post(`${base}/posts`, { title: ' \t<b>Made</b>\n ' });
        assert.deepEqual([made.title.raw, made.title.rendered], ['<b>Made</b>', '<b>Made</b>']);
        const { body: changed } = await person.post(`${base}/posts/${made.id}`, { title: '\u00a0Changed ' });
        assert.equal(changed.title.raw, 'Changed');
        const { body: kept } = await person.post(`${base}/posts/${made.id}/autosaves`, {
          title: ' Kept ',
          content: 'c',
        });
        assert.equal(kept.title.raw, 'Kept');
      }
  });

  test('of nothing but space is none', async () => {
    const { status, body } = await (await aSite(engine)).as('author').post('/api/core/v2/posts', { title: ' \n ' });
    assert.deepEqual([status, body.code], [400, 'empty_content']);
  });

  test('is set in type where it is shown, and only there', async () => {
    const author = (await aSite(engine)).as('author');
    const { body } = await author.post('/api/core/v2/posts', { title: `"It's" 2x3 -- & [gallery a="b"]` });
    assert.deepEqual(
      [body.title.raw, body.title.rendered],
      [
        `"It's" 2x3 -- &amp; [gallery a="b"]`,
        '&#8220;It&#8217;s&#8221; 2&#215;3 &#8212; &amp; [gallery a=&#8221;b&#8221;]',
      ],
    );
  });
});
