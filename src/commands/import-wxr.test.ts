import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { picture } from '#test/pictures.ts';
import { author, category, comment, exportOf, item, meta, oldSite, term } from '#test/wxr.ts';

const aStory = () =>
  exportOf(
    author('ada', 7),
    author('boss', 8),
    // Below one that comes later.
    term('pots', 'kitchen', 31),
    term('kitchen', '', 30),
    item(
      {
        title: 'First',
        'wp:post_id': 500,
        'wp:post_name': 'a-slug-of-its-own',
        'wp:is_sticky': 1,
        guid: `${oldSite}/?p=500`,
      },
      category('category', 'pots', 'POTS'),
      category('post_tag', 'blue', 'Blue &amp; green'),
      category('post_format', 'post-format-aside', 'Aside'),
      category('mood', 'happy', 'Happy'),
      meta('_wp_page_template', 'wide.php'),
      meta('_edit_lock', '1:1'),
      meta('_edit_last', '7'),
      meta('colour', 'red'),
      meta('colour', 'green'),
      meta('_wp_old_slug', 'older'),
      comment(3, { parent: 9 }),
      comment(9, { user_id: 7, approved: '0' }),
      comment(10, { approved: 'spam', type: 'pingback' }),
    ),
    item({ title: 'Below', 'wp:post_id': 20, 'wp:post_type': 'page', 'wp:post_parent': 21, 'wp:post_name': 'about' }),
    item({
      title: 'Also below',
      'wp:post_id': 22,
      'wp:post_type': 'page',
      'wp:post_parent': 23,
      'wp:post_name': 'about',
    }),
    item({ title: 'Above', 'wp:post_id': 21, 'wp:post_type': 'page' }),
    item({ title: 'Another', 'wp:post_id': 23, 'wp:post_type': 'page' }),
    item({ title: 'Floats', 'wp:post_id': 24, 'wp:status': 'draft', 'wp:post_date_gmt': '0000-00-00 00:00:00' }),
    item({
      title: 'Later',
      'wp:status': 'future',
      'wp:post_date': '2999-01-01 00:00:00',
      'wp:post_date_gmt': '2999-01-01 00:00:00',
    }),
    item({ title: 'Due', 'wp:status': 'future' }),
    item(
      { title: 'Gone', 'wp:status': 'trash', 'wp:post_name': 'gone__trashed' },
      meta('_wp_trash_meta_status', 'publish'),
      comment(70),
    ),
    item({ title: 'Stranger', 'dc:creator': 'nobody' }),
    item({ title: 'Never saved', 'wp:status': 'auto-draft' }),
    item({ title: 'Earlier', 'wp:post_type': 'revision', 'wp:status': 'inherit' }),
    item({ title: 'Odd', 'wp:post_type': 'spaceship' }),
  );

eachEngine('The command import wxr', (engine) => {
  test('moves in what a file holds, and nothing of it twice', async () => {
    const { arrive, file, rows, post, everything, run } = await aPlace(engine);
    const path = file(aStory());
    const first = await arrive(path);
    assert.deepEqual([first.code, first.told?.errors], [0, []], first.err);
    const { authors, items, comments } = first.told!;
    assert.deepEqual(authors, { created: 1, skipped: 1, failed: 0 });
    assert.deepEqual(items.page, { created: 4, skipped: 0, failed: 0 });
    assert.deepEqual(items.post, { created: 6, skipped: 1, failed: 0 });
    assert.deepEqual([items.revision?.skipped, items.spaceship?.skipped], [1, 1]);
    assert.deepEqual(comments, { created: 4, skipped: 0, failed: 0 });

    const story = await post('First');
    const ada = (await rows('users')).find(({ login }) => login === 'ada')!;
    assert.deepEqual([story.id, story.slug, story.sticky, story.format], [500, 'a-slug-of-its-own', 1, 'aside']);
    assert.deepEqual([story.template, story.guid, story.author], ['wide.php', `${oldSite}/?p=500`, ada.id]);
    assert.deepEqual([ada.email, ada.password], ['ada@mail.example', '']);
    const found = Object.fromEntries((await rows('post_meta')).map(({ key, value }) => [key, JSON.parse(`${value}`)]));
    assert.deepEqual(found, { _edit_last: `${ada.id}`, colour: ['red', 'green'] });
    assert.ok((await rows('old_slugs')).some((row) => `${row.slug}` === 'older'));

    const terms = await rows('terms');
    const [pots, kitchen] = ['pots', 'kitchen'].map((slug) => terms.find((one) => one.slug === slug)!);
    assert.deepEqual([pots!.parent, pots!.count, kitchen!.count], [kitchen!.id, 1, 0]);
    assert.equal(terms.find(({ slug }) => slug === 'blue')?.name, 'Blue &amp; green');

    const said = (await rows('comments')) as unknown as {
      id: number;
      content: string;
      parent: number;
      user_id: number;
      status: string;
      type: string;
    }[];
    const [third, ninth, tenth, trashed] = ['3', '9', '10', '70'].map(
      (n) => said.find(({ content }) => content === `Comment ${n}`)!,
    );
    assert.deepEqual([third!.parent, ninth!.user_id, ninth!.status], [ninth!.id, ada.id, 'hold']);
    assert.deepEqual([tenth!.type, tenth!.status, trashed!.status], ['pingback', 'spam', 'post-trashed']);

    const [below, also] = [await post('Below'), await post('Also below')];
    assert.deepEqual([below.parent, below.slug, also.parent, also.slug], [21, 'about', 23, 'about']);
    assert.deepEqual([(await post('Floats')).status, (await post('Floats')).date_gmt], ['draft', null]);
    assert.deepEqual([(await post('Later')).status, (await post('Due')).status], ['future', 'publish']);
    assert.deepEqual([(await post('Gone')).status_before, (await post('Gone')).slug_before], ['publish', 'gone']);
    assert.equal((await post('Stranger')).author, (await rows('users')).find(({ login }) => login === 'boss')!.id);
    assert.ok((await rows('posts')).every(({ id }) => Number(id) <= 500 || Number(id) > 500));
    assert.equal((await rows('revisions')).length, 0);

    const before = await everything();
    const second = await arrive(path);
    assert.deepEqual([second.code, second.told?.items.post], [0, { created: 0, skipped: 7, failed: 0 }]);
    assert.deepEqual(second.told?.comments, { created: 0, skipped: 4, failed: 0 });
    assert.deepEqual(await everything(), before);

    assert.equal((await arrive(file(exportOf(item({ title: 'Next' }))))).code, 0);
    assert.ok(Number((await post('Next')).id) > 500);
    const table = await run('import', 'wxr', path);
    assert.match(table.out, /^ +CREATED +SKIPPED +FAILED\nusers +0 +0 +0\nterms +0 +0 +0\npost +0 +1 +0\n/);
  });

  test('completes what is here with the terms, meta and comments it lacks', async () => {
    const { arrive, file, rows, post } = await aPlace(engine);
    const one = { title: 'One', 'wp:post_id': 5 };
    await arrive(file(exportOf(item(one, category('category', 'a', 'A'), meta('k', 'first'), comment(1)))));
    const version = (await post('One')).version;
    const more = item(
      one,
      category('category', 'b', 'B'),
      meta('k', 'other'),
      meta('l', 'new'),
      comment(1),
      comment(2),
    );
    const { told } = await arrive(file(exportOf(more)));
    assert.deepEqual([told?.items.post?.skipped, told?.comments], [1, { created: 1, skipped: 1, failed: 0 }]);
    const slugs = new Map((await rows('terms')).map(({ id, slug }) => [id, slug]));
    assert.deepEqual((await rows('post_terms')).map(({ term_id }) => slugs.get(term_id)).sort(), ['a', 'b']);
    assert.deepEqual((await rows('post_meta')).map(({ key, value }) => `${key}=${value}`).sort(), [
      'k="first"',
      'l="new"',
    ]);
    assert.notEqual((await post('One')).version, version);
  });

  test('takes numbers, slugs and names of others from nobody', async () => {
    const { arrive, file, post, rows } = await aPlace(engine);
    await arrive(file(exportOf(item({ title: 'Mine', 'wp:post_id': 5, 'wp:post_name': 'same' }))));
    const text =
      '<!-- wp:image {"id":5} --><img class="wp-image-5"> [gallery ids="5,6"] <a href="https://old.example.evil.example/">x</a>';
    const { code } = await arrive(
      file(
        exportOf(
          item({
            title: 'Theirs',
            'wp:post_id': 5,
            'wp:post_name': 'same',
            'content:encoded': text,
            'wp:post_date': '2021-01-01 00:00:00',
          }),
          item({ title: 'Huge', 'wp:post_id': 9_007_199_254_740_991, 'wp:post_date': '2021-01-02 00:00:00' }),
        ),
      ),
    );
    assert.equal(code, 0);
    const theirs = await post('Theirs');
    assert.deepEqual([(await post('Mine')).id, theirs.slug], [5, 'same-2']);
    const id = theirs.id;
    assert.equal(
      theirs.content,
      `<!-- wp:image {"id":${id}} --><img class="wp-image-${id}"> [gallery ids="${id},6"] <a href="https://old.example.evil.example/">x</a>`,
    );
    assert.ok((await rows('posts')).every((row) => Number(row.id) < 1_000));
  });

  test('finds files in a folder or an archive, and has texts point at them', async () => {
    for (const kind of ['folder', 'tar', 'tgz']) {
      const { arrive, file, post, rows, data } = await aPlace(engine);
      const folder = join(data, 'old', 'uploads');
      mkdirSync(join(folder, '2019', '05'), { recursive: true });
      writeFileSync(join(folder, '2019', '05', 'River.png'), await picture(700, 500, 'png'));
      const archive = join(data, 'old.tar');
      if (kind !== 'folder')
        execFileSync('tar', [kind === 'tgz' ? '-czf' : '-cf', archive, '-C', join(data, 'old'), 'uploads']);
      const url = `${oldSite}/wp-content/uploads/2019/05/River.png`;
      const attached = { 'wp:post_type': 'attachment', 'wp:status': 'inherit', 'wp:post_date': '2021-01-01 00:00:00' };
      const path = file(
        exportOf(
          item(
            {
              title: 'Text',
              'wp:post_id': 10,
              'content:encoded': `<img src="${url.replace('https', 'http')}"> <img src="${url.replace('.png', '-300x214.png')}"> ${oldSite}/about?x=1.`,
            },
            meta('_thumbnail_id', '11'),
            meta('enclosure', `${url}\n12\nimage/png`),
          ),
          item(
            { title: 'River', 'wp:post_id': 11, 'wp:post_parent': 10, ...attached, 'wp:attachment_url': url },
            meta('_wp_attachment_image_alt', 'A river'),
          ),
          item({
            title: 'Lost',
            'wp:post_id': 12,
            ...attached,
            'wp:attachment_url': `${oldSite}/wp-content/uploads/2019/05/lost.png`,
          }),
        ),
      );
      const { code, told, err } = await arrive(path, '--uploads', kind === 'folder' ? folder : archive);
      assert.deepEqual([code, told?.files, told?.errors], [0, { copied: 1, fetched: 0, missing: 1 }, []], err);
      const [river] = (await rows('media')) as unknown as { file: string; alt_text: string }[];
      assert.deepEqual([river?.file, river?.alt_text], ['2019/05/River.png', 'A river']);
      const text = await post('Text');
      assert.match(
        String(text.content),
        /^<img src="(\S+)\/wp-content\/uploads\/2019\/05\/River\.png"> <img src="\1\/wp-content\/uploads\/2019\/05\/River-300x214\.png"> \1\/about\?x=1\.$/,
      );
      assert.deepEqual([text.featured_media, (await post('River')).parent], [11, 10]);
      assert.match(`${(await rows('post_meta'))[0]?.value}`, /^"http:\/\/localhost.*River\.png\\n12/);
    }
  });

  test('writes nothing when it is only tried', async () => {
    const { arrive, file, everything } = await aPlace(engine);
    const before = await everything();
    const { code, told } = await arrive(file(aStory()), '--dry-run');
    assert.deepEqual([code, told?.items.page?.created, told?.authors.created], [0, 4, 1]);
    assert.deepEqual(await everything(), before);
  });
});
