// An editor in the browser starts: it asks for everything it needs to know, and learns what the one who writes may do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { anEditor, type Editing } from '#test/editing.ts';
import { aPaper, classic, idsIn, linksIn, outcome, pathOf } from '#test/paper.ts';
import type { Answer } from '#test/site.ts';

const allowed = ({ headers }: Answer): string => headers.get('allow') ?? '';
const keys = (value: object): string[] => Object.keys(value).sort();

/** What it asks at its start, and whether everybody who writes is told. */
const questions: readonly [path: string, writers: boolean][] = [
  ['?_fields=description,gmt_offset,home,name,site_icon,site_icon_url,site_logo,timezone_string,url', true],
  ['wp/v2/types?context=view', true],
  ['wp/v2/types?context=edit', true],
  ['wp/v2/types/post?context=edit', true],
  ['wp/v2/types/page?context=edit', false],
  ['wp/v2/taxonomies?context=view&per_page=100', true],
  ['wp/v2/statuses?context=edit', true],
  ['wp/v2/users/me', true],
  ['wp/v2/users/me?context=edit', true],
  ['wp/v2/themes?context=edit&status=active', true],
  ['wp/v2/block-patterns/patterns', true],
  ['wp/v2/block-patterns/categories', true],
  ['wp/v2/block-types?context=edit', true],
  ['wp/v2/blocks?context=edit&per_page=100', true],
  ['wp/v2/templates/lookup?slug=single-post', true],
  ['wp/v2/categories?per_page=100&orderby=name&order=asc&_fields=id,name,parent&context=view', true],
  ['wp/v2/media?context=edit&per_page=40&orderby=date', true],
  ['wp/v2/posts?context=edit&status=any&_fields=id,title,status', true],
  ['wp/v2/settings', false],
  ['wp/v2/global-styles/themes/site?context=view', true],
  ['wp/v2/global-styles/themes/site/variations', true],
];

eachEngine('An editor in the browser', async (engine) => {
  const site = await aPaper(engine);
  const admin = await anEditor(site, 'administrator');
  const author = await anEditor(site, 'author');

  test('is told all it asks at its start, and what a writer may not see is a refusal it knows', async () => {
    for (const [path, writers] of questions) {
      assert.equal((await admin.get(path)).status, 200, path);
      const { status, body, text } = await author.get(path);
      assert.equal(status, writers ? 200 : 403, `${path}: ${text}`);
      if (!writers) assert.match(body.code, /^rest_(?:forbidden|forbidden_context|cannot_read_global_styles)$/);
    }
  });

  test('learns the kinds of content and where they are', async () => {
    const { body: types } = await admin.get('wp/v2/types?context=edit');
    for (const [name, base] of Object.entries({
      post: 'posts',
      page: 'pages',
      attachment: 'media',
      wp_block: 'blocks',
      nav_menu_item: 'menu-items',
      wp_template: 'templates',
      wp_template_part: 'template-parts',
      wp_global_styles: 'global-styles',
      wp_font_family: 'font-families',
    })) {
      assert.deepEqual([types[name].rest_base, types[name].rest_namespace], [base, 'wp/v2']);
      assert.ok(types[name].supports.title && types[name].labels.singular_name !== undefined, name);
      assert.match(types[name]._links['wp:items'][0].href, new RegExp(`/wp-json/wp/v2/${base}$`));
    }
    const { body: taxonomies } = await admin.get('wp/v2/taxonomies?context=view');
    assert.deepEqual(keys(taxonomies), ['category', 'post_tag', 'wp_pattern_category']);
    const [theme] = (await admin.get('wp/v2/themes?status=active')).body;
    assert.deepEqual([theme.status, theme.is_block_theme], ['active', false]);
  });

  test('finds the styles that users changed by the theme, and may not change them', async () => {
    const [theme] = (await author.get('wp/v2/themes?status=active')).body;
    const [{ href }] = theme._links['wp:user-global-styles'];
    assert.match(href, /\/wp-json\/wp\/v2\/global-styles\/\d+$/);
    const path = href.slice(href.indexOf('wp/v2/'));
    const { status, body } = await author.get(path);
    assert.deepEqual([status, body.settings, body.styles], [200, {}, {}]);
    assert.equal(path.endsWith(`/${body.id}`), true);
    assert.equal(allowed(await admin.options(path)), 'GET');
    assert.equal((await admin.get(`${path}?context=edit`)).body.title.raw, 'Custom styles');
    assert.deepEqual(outcome(await author.get(`${path}?context=edit`)), [403, 'rest_forbidden_context']);
    assert.deepEqual(outcome(await admin.get('wp/v2/global-styles/1')), [404, 'rest_global_styles_not_found']);
    assert.deepEqual((await author.get('wp/v2/global-styles/themes/site')).body, { settings: {}, styles: {} });
    assert.deepEqual(outcome(await author.get('wp/v2/global-styles/themes/other')), [404, 'rest_theme_not_found']);
    const reader = await anEditor(site, 'subscriber');
    for (const one of [path, 'wp/v2/global-styles/themes/site', 'wp/v2/global-styles/themes/site/variations'])
      assert.deepEqual(outcome(await reader.get(one)), [403, 'rest_cannot_read_global_styles'], one);
  });

  test('reads what may be done off the methods that are allowed', async () => {
    const own = (await author.post('wp/v2/posts', { title: 'Mine', status: 'publish' })).body.id;
    const other = (await admin.post('wp/v2/posts', { title: 'Theirs', status: 'publish' })).body.id;
    const all = 'GET, POST, PUT, PATCH, DELETE';
    for (const [path, expected, to] of [
      ['wp/v2/posts', 'GET, POST', author],
      [`wp/v2/posts/${own}`, all, author],
      [`wp/v2/posts/${other}`, 'GET', author],
      [`wp/v2/posts/${other}`, all, admin],
      ['wp/v2/pages', 'GET', author],
      ['wp/v2/media', 'GET, POST', author],
      ['wp/v2/blocks', 'GET, POST', author],
      ['wp/v2/categories', 'GET', author],
      ['wp/v2/tags', 'GET, POST', author],
      ['wp/v2/settings', '', author],
      ['wp/v2/settings', 'GET, POST, PUT, PATCH', admin],
    ] as const)
      assert.equal(allowed(await to.options(path)), expected, path);
    const { body } = await author.get('wp/v2/posts?context=view&orderby=id&order=asc&_fields=id,_links');
    const hints = body.map((post: { _links: { self: { targetHints: { allow: string[] } }[] } }) =>
      post._links.self[0]!.targetHints.allow.join(', '),
    );
    assert.deepEqual(hints, [all, 'GET']);
    const links = (await author.get(`wp/v2/posts/${own}?context=edit`)).body._links;
    assert.ok('wp:action-publish' in links && !('wp:action-sticky' in links) && !('wp:action-assign-author' in links));
  });

  test('makes its forms of what the site says of its settings and its batches', async () => {
    const { body } = await admin.options('wp/v2/settings');
    assert.equal(body.schema.properties.posts_per_page.type, 'integer');
    assert.deepEqual(keys((await admin.get('wp/v2/settings')).body), keys(body.schema.properties));
    const batch = (await admin.options('batch/v1')).body;
    assert.equal(batch.endpoints[0].args.requests.maxItems, 25);
  });

  test('takes all there is in pages of a hundred', async () => {
    for (let at = 0; at < 5; at++) {
      const requests = Array.from({ length: 25 }, (_, one) => ({
        path: '/wp/v2/tags',
        body: { name: `Tag ${at * 25 + one}` },
      }));
      const { body } = await author.post('batch/v1', { requests });
      assert.deepEqual([...new Set(body.responses.map(({ status }: Answer) => status))], [201]);
    }
    const first = await author.get('wp/v2/tags?per_page=100&context=view&_fields=id');
    const next = pathOf(linksIn(first).next!).slice('/wp-json/'.length);
    const second = await author.get(next.replace('&_locale=user', ''));
    assert.equal(new Set([...idsIn(first), ...idsIn(second)]).size, 125);
    assert.equal(linksIn(second).next, undefined);
  });

  test('is nobody without the token, and is told when the token is old', async () => {
    const { headers } = await author.get('wp/v2/users/me');
    assert.match(headers.get('x-wp-nonce') ?? '', /^\S+$/);
    const stale = await site.get(`${classic}/users/me`, { 'x-wp-nonce': 'of yesterday' });
    assert.deepEqual(outcome(stale), [403, 'rest_cookie_invalid_nonce']);
  });
});

eachEngine('Somebody writes in an editor', (engine) => {
  const started = async (): Promise<{ author: Editing; other: Editing; read: (id: number) => Promise<Answer> }> => {
    const site = await aPaper(engine);
    const [author, other] = [await anEditor(site, 'author'), await anEditor(site, 'editor')];
    return { author, other, read: (id) => site.get(`${classic}/posts/${id}`) };
  };

  test('a draft saves itself, is saved, published, changed and taken back', async () => {
    const { author, read } = await started();
    const { body: draft } = await author.post('wp/v2/posts', { title: '', content: '<!-- wp:paragraph -->' });
    const one = `wp/v2/posts/${draft.id}`;
    assert.deepEqual([draft.status, draft.slug, draft.content.block_version], ['draft', '', 1]);
    const kept = await author.post(`${one}/autosaves`, { title: 'Half', content: 'Half a thought', status: 'draft' });
    assert.deepEqual([kept.status, kept.body.id, kept.body.parent], [200, draft.id, 0], 'it is the draft itself');
    const saved = await author.put(one, { title: 'A thought', content: 'A whole thought', categories: [1] });
    assert.deepEqual([saved.status, saved.body.generated_slug], [200, 'a-thought']);
    const published = (await author.put(one, { status: 'publish' })).body;
    assert.deepEqual([published.slug, published.date_gmt], ['a-thought', '2026-11-20T12:00:00']);
    assert.equal((await read(draft.id)).body.content.rendered, '<p>A whole thought</p>\n');

    const beside = await author.post(`${one}/autosaves`, { content: 'Another thought' });
    assert.equal(beside.body.parent, draft.id);
    assert.match(beside.body.preview_link, /preview_id=\d+&preview_nonce=[\w-]+&preview=true$/);
    assert.equal((await read(draft.id)).body.content.rendered, '<p>A whole thought</p>\n', 'readers see nothing of it');
    assert.deepEqual(
      (await author.get(`${one}/autosaves`)).body.map(
        ({ content }: { content: { rendered: string } }) => content.rendered,
      ),
      ['<p>Another thought</p>\n'],
    );
    await author.put(one, { content: 'Another thought' });
    assert.deepEqual((await author.get(`${one}/autosaves`)).body, []);
    const history = (await author.get(`${one}/revisions?context=edit&per_page=100`)).body;
    assert.deepEqual(
      history.map(({ content }: { content: { raw: string } }) => content.raw),
      ['Another thought', 'A whole thought', 'Half a thought'],
    );
    const back = await author.put(one, { title: history[1].title.raw, content: history[1].content.raw });
    assert.equal(back.body.content.raw, 'A whole thought');
    assert.equal((await author.put(one, { status: 'draft' })).body.status, 'draft');
    assert.deepEqual(outcome(await read(draft.id)), [401, 'rest_forbidden']);
  });

  test('two who write at once: each sees what the other saved, and keeps their own aside', async () => {
    const { author, other } = await started();
    const { body: post } = await author.post('wp/v2/posts', { title: 'Ours', content: 'One', status: 'publish' });
    const one = `wp/v2/posts/${post.id}`;
    await author.post(`${one}/autosaves`, { content: 'Of the author' });
    await other.post(`${one}/autosaves`, { content: 'Of the editor' });
    assert.equal((await other.get(`${one}/autosaves?context=edit`)).body.length, 2);
    const before = (await author.get(`${one}?context=edit`)).body;
    await other.put(one, { content: 'By the editor' });
    const after = (await author.get(`${one}?context=edit`)).body;
    assert.deepEqual([before.content.raw, after.content.raw], ['One', 'By the editor']);
    assert.equal(after._links['version-history'][0].count, 1);
    const mine = (await other.get(`${one}/autosaves?context=edit`)).body;
    assert.deepEqual(
      mine.map(({ content }: { content: { raw: string } }) => content.raw),
      ['Of the author'],
    );
    // Who sends back all that was read changes only what they meant.
    const { status, body } = await author.put(one, {
      ...before,
      content: after.content,
      title: { raw: 'All of ours' },
    });
    assert.deepEqual([status, body.title.raw, body.content.raw], [200, 'All of ours', 'By the editor']);
  });

  test('what goes into the trash is undone, or goes for good', async () => {
    const { author, other } = await started();
    const { body: post } = await author.post('wp/v2/posts', { title: 'Gone', status: 'publish' });
    const one = `wp/v2/posts/${post.id}`;
    const trashed = await author.delete(one);
    assert.deepEqual([trashed.status, trashed.body.status], [200, 'trash']);
    assert.match(trashed.headers.get('cache-control') ?? '', /no-store/);
    assert.deepEqual(outcome(await author.delete(one)), [410, 'rest_already_trashed']);
    assert.deepEqual(outcome(await author.put(one, { status: 'trash' })), [200, undefined], 'it is that already');
    const restored = await author.put(one, { status: 'publish' });
    assert.deepEqual([restored.body.slug, restored.body.link], ['gone', post.link]);
    assert.equal((await other.delete(`${one}?force=true`)).body.deleted, true);
    assert.deepEqual(outcome(await author.get(one)), [404, 'rest_post_invalid_id']);
    assert.deepEqual(outcome(await author.put(one, { title: 'Late' })), [404, 'rest_post_invalid_id']);
    assert.deepEqual(outcome(await author.delete('wp/v2/tags/1')), [404, 'rest_term_invalid']);
  });

  test('a category made on the way sorts the post, and one that is there is used again', async () => {
    const { author, other } = await started();
    assert.deepEqual(outcome(await author.post('wp/v2/categories', { name: 'Lamps' })), [403, 'rest_cannot_create']);
    const { body: lamps } = await other.post('wp/v2/categories', { name: 'Lamps' });
    const again = await other.post('wp/v2/categories', { name: 'Lamps' });
    assert.deepEqual([...outcome(again), again.body.data], [400, 'term_exists', { status: 400, term_id: lamps.id }]);
    const { body: post } = await author.post('wp/v2/posts', {
      title: 'Light',
      categories: [lamps.id],
      status: 'publish',
    });
    assert.deepEqual(post.categories, [lamps.id]);
    assert.equal((await other.get(`wp/v2/categories/${lamps.id}`)).body.count, 1);
  });
});
