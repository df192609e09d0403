// Writes side by side that bring the same new words, into one category.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const posts = '/api/core/v2/posts';

/** Some of a hundred and fifty new words, another part of them each time. */
const text = (round: number, at: number): string =>
  Array.from({ length: 150 }, (_, word) => `r${round}w${(word * 7 + at) % 170}x`).join(' ');

onBothStores('posts with the same new words', (engine) => {
  test('are all made, and found', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    for (const round of [1, 2, 3]) {
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          editor.post(posts, { title: `Post ${at}`, content: text(round, at), status: 'publish' }),
        ),
      );
      assert.deepEqual(
        made.filter(({ status }) => status !== 201).map((one) => one.text),
        [],
      );
      const found = await site.get(`${posts}?search=r${round}w30x&per_page=100`);
      const expected = made.filter((_, at) => text(round, at).includes(`r${round}w30x`)).length;
      assert.equal(found.headers.get('x-wp-total'), `${expected}`);
    }
  });
});
