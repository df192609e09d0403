// A block by itself, as whoever writes with it sees it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';

const core = '/api/core/v2';
const at = (name: string, query = 'context=edit'): string => `${core}/block-renderer/${name}?${query}`;

eachEngine('A block by itself', (engine) => {
  let site: TestSite;
  let [draft, others]: number[] = [];

  before(async () => {
    site = await aSite(engine);
    const add = async (role: string, said: object): Promise<number> =>
      (await site.as(role).post(`${core}/posts`, said)).body.id;
    draft = await add('author', { title: 'Draft', content: 'Words <!-- wp:post-content /-->' });
    others = await add('administrator', { title: 'Not theirs', content: 'Secret' });
    await add('administrator', { title: 'News', content: 'Words', status: 'publish' });
  });

  test('is shown as a page would show it, whichever way it is asked for', async () => {
    const item =
      '<li><a class="wp-block-latest-posts__post-title" href="http://site.test/2026/11/20/news/">News</a></li>\n';
    const list = { rendered: `<ul class="wp-block-latest-posts__list wp-block-latest-posts mine">${item}</ul>` };
    const { get, post } = site.as('contributor');
    const asked = await get(
      at('core/latest-posts', 'context=edit&attributes[postsToShow]=1&attributes[className]=mine'),
    );
    assert.deepEqual([asked.status, asked.body], [200, list]);
    const attributes = { postsToShow: 1, className: 'mine' };
    const sent = await post(`${core}/block-renderer/core/latest-posts`, { context: 'edit', attributes });
    assert.deepEqual([sent.status, sent.body], [200, list]);
    assert.equal(asked.headers.get('allow'), 'GET, POST');
  });

  test('says of a record what whoever edits that may see', async () => {
    const { get } = site.as('author');
    const title = await get(at('core/post-title', `context=edit&post_id=${draft}`));
    assert.deepEqual(title.body, { rendered: '<h2 class="wp-block-post-title">Draft</h2>' });
    const content = await get(at('core/post-content', `context=edit&post_id=${draft}`));
    assert.equal(content.body.rendered.trim(), 'Words');
    assert.deepEqual((await get(at('core/post-title'))).body, { rendered: '' });
  });

  test('is shown around an address that nothing is known of', async () => {
    const url = 'https://film.test/?a=1&b=2';
    const { body } = await site.as('author').post(at('core/embed'), { attributes: { url } });
    assert.match(
      body.rendered,
      /^<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps:\/\/film.test\/\?a=1&amp;b=2\n<\/div><\/figure>$/,
    );
    const nasty = await site.as('author').post(at('core/embed'), { attributes: { url: 'https://x\n<script>' } });
    assert.doesNotMatch(nasty.body.rendered, /script/);
  });

  const cases: readonly [about: string, role: string | undefined, path: () => string, status: number, code: string][] =
    [
      ['nobody', undefined, () => at('core/search'), 401, 'block_cannot_read'],
      ['who writes nothing', 'subscriber', () => at('core/search'), 403, 'block_cannot_read'],
      [
        'somebody else',
        'author',
        () => at('core/post-title', `context=edit&post_id=${others}`),
        403,
        'block_cannot_read',
      ],
      [
        'a record that is not there',
        'administrator',
        () => at('core/search', 'context=edit&post_id=99999'),
        403,
        'block_cannot_read',
      ],
      ['a block of no kind', 'author', () => at('core/zzz'), 404, 'block_invalid'],
      ['one that stands as it was written', 'author', () => at('core/paragraph'), 404, 'block_invalid'],
      ['one named like a part of every object', 'author', () => at('core/constructor'), 404, 'block_invalid'],
      ['whoever does not edit', 'author', () => at('core/search', 'context=view'), 400, 'rest_invalid_param'],
      ['whoever does not say so', 'author', () => at('core/search', ''), 400, 'rest_invalid_param'],
      [
        'an attribute of another type',
        'author',
        () => at('core/latest-posts', 'context=edit&attributes[postsToShow]=many'),
        400,
        'rest_invalid_param',
      ],
      [
        'an attribute that it has not',
        'author',
        () => at('core/latest-posts', 'context=edit&attributes[nonsense]=1'),
        400,
        'rest_invalid_param',
      ],
      [
        'attributes that are none',
        'author',
        () => at('core/search', 'context=edit&attributes=x'),
        400,
        'rest_invalid_param',
      ],
    ];
  test('is refused with its status and code', () =>
    checkRows(cases, async ([, role, path, status, code]) => {
      const answer = await (role === undefined ? site : site.as(role)).get(path());
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    }));

  test('cannot end the mark it is written into', async () => {
    const label = '--><script>x</script><!-- wp:site-title /-->';
    const { body } = await site.as('author').post(at('core/search'), { attributes: { label } });
    assert.doesNotMatch(body.rendered, /<script|wp-block-site-title/);
  });
});
