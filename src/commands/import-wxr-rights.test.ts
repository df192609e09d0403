// Whose words may stand here as they came, whose become whose, and that nobody moves in beside another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#site/platform/clock.ts';
import { withImportLease } from '#site/transfer/import/import-lease.ts';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { author, category, comment, exportOf, item, meta } from '#test/wxr.ts';

const hostile = '<script>alert(1)</script><img src="x" onerror="alert(2)">';

const described = (slug: string, description: string): string =>
  `<wp:category><wp:category_nicename>${slug}</wp:category_nicename><wp:cat_name>${slug}</wp:cat_name>
<wp:category_description><![CDATA[${description}]]></wp:category_description></wp:category>`;

const old = exportOf(
  author('boss', 7),
  author('eve', 8),
  described('rivers', `${hostile}<em>wet</em>`),
  described('lakes', 'x'.repeat(100_001)),
  item(
    { title: 'One', 'wp:post_id': 10, 'content:encoded': hostile },
    category('category', 'rivers', 'Rivers'),
    category('category', 'lakes', 'Lakes'),
    meta('_wp_page_template', '"><script>'),
    comment(1, { user_id: 7, content: `${hostile}boss` }),
    comment(2, { user_id: 8, content: `${hostile}eve`, author: 'Eve', author_url: 'javascript:alert(3)' }),
    comment(3, { content: `${hostile}nobody`, author: 'Al', author_url: 'data:text/html,<script>' }),
    comment(4, { content: 'linked', author: 'Ben', author_url: 'ben.example/a b' }),
  ),
  item(
    { title: 'Two', 'wp:post_id': 11, 'wp:post_date': '2020-02-03 10:00:09' },
    meta('_wp_page_template', 'a/wide.php'),
  ),
);

const unsafe = /<script|onerror/;

eachEngine('What import wxr keeps as it came', (engine) => {
  test('is the text of records, and of comments that of who may write any HTML here', async () => {
    const site = await aPlace(engine);
    const { code, told } = await site.arrive(site.file(old));
    assert.equal(code, 1);
    assert.deepEqual(
      told?.errors.map(({ title, code }) => [title, code]),
      [['lakes', 'rest_invalid_param']],
    );
    assert.equal((await site.post('One')).content, hostile);
    const comments = await site.rows('comments');
    const said = (by: string): string => {
      const found = comments.find(({ content }) => String(content).endsWith(by));
      return String(found?.content);
    };
    assert.match(said('boss'), /<script>.*onerror/);
    for (const by of ['eve', 'nobody']) assert.doesNotMatch(said(by), unsafe);
    assert.deepEqual(comments.map(({ author_url }) => author_url).sort(), ['', '', '', 'http://ben.example/a%20b']);
    const terms = await site.rows('terms');
    assert.match(String(terms.find(({ slug }) => slug === 'rivers')?.description), /<em>wet<\/em>$/);
    for (const { description } of terms) assert.doesNotMatch(String(description), unsafe);
    assert.deepEqual([(await site.post('One')).template, (await site.post('Two')).template], ['', 'a/wide.php']);
  });

  test('is nothing with --filter', async () => {
    const site = await aPlace(engine);
    await site.arrive(site.file(old), '--filter');
    for (const table of ['posts', 'comments', 'terms'])
      for (const row of await site.rows(table)) assert.doesNotMatch(JSON.stringify(row), unsafe);
  });

  test('is read only where everybody named is here, and by one at a time', async () => {
    const site = await aPlace(engine);
    const before = await site.everything();
    const file = site.file(old);
    for (const [args, sentence] of [
      [
        ['--map', 'eve=bos'],
        /User bos does not exist here, so records of eve cannot be assigned to this user\. Nothing was imported\./,
      ],
      [
        ['--default-author', 'nobodyhere'],
        /User nobodyhere does not exist here, so records cannot be assigned to this user\./,
      ],
      [['--map', 'eve=boss@mail.example'], /boss@mail\.example/],
    ] as const) {
      const { code, told, err } = await site.arrive(file, ...args);
      assert.deepEqual([code === 0, told], [false, undefined]);
      assert.match(err, sentence);
    }
    await withImportLease({ store: site.store, clock: systemClock }, { holder: 'job 1', what: 'Another' }, async () => {
      const { code, told, err } = await site.arrive(file);
      assert.deepEqual([code, told], [1, undefined]);
      assert.match(err, /^Another is being imported by job 1 since \S+ UTC\. Please wait until that has ended\.$/m);
      assert.equal((await site.arrive(file, '--dry-run')).told?.items.post?.created, 2);
    });
    assert.deepEqual(await site.everything(), before);
  });
});
