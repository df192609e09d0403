import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepFirstMeta } from '#site/content/meta.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aRemote } from '#test/remote.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';
const api = '/api/gallery-convert/v1';

async function pictures(site: TestSite, count: number): Promise<number[]> {
  const bytes = await picture(60, 40);
  const ids: number[] = [];
  for (let at = 1; at <= count; at++)
    ids.push((await send(site, 'administrator', `p${at}.jpg`, bytes, `?alt_text=Alt ${at}`)).body.id);
  return ids;
}

const imageBlock = (id: number | undefined, src: string, more = ''): string =>
  `<!-- wp:image ${JSON.stringify({ ...(id && { id }), sizeSlug: 'large' })} -->\n<figure class="wp-block-image"><img src="${src}" alt="${id ? '' : 'Elsewhere'}"/>${more}</figure>\n<!-- /wp:image -->`;

const galleryBlock = (images: readonly string[], attributes: object = {}): string =>
  `<!-- wp:gallery ${JSON.stringify(attributes)} -->\n<figure class="wp-block-gallery">${images.join('')}<figcaption class="blocks-gallery-caption">The <em>fair</em></figcaption></figure>\n<!-- /wp:gallery -->`;

eachEngine('Galleries of an earlier form', (engine) => {
  test('become galleries in one revision, wherever they stand, and what they were again', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const [one, two, three] = (await pictures(site, 3)) as [number, number, number];
    const nested = galleryBlock(
      [
        imageBlock(three, 'x', '<figcaption class="wp-element-caption">A <b>third</b></figcaption>'),
        imageBlock(one, 'y'),
      ],
      { columns: 2, linkTarget: '_blank', className: 'wide' },
    );
    const content = `<!-- wp:group -->\n<div class="wp-block-group">${nested}</div>\n<!-- /wp:group -->
[gallery ids="${two},${one}" columns="4" size="medium"] and [gallery size='medium' columns=4 ids=${two},${one}]
[gallery include="${three}" order="DESC"]
<p>Write [[gallery ids="1"]].</p><pre><code>[gallery ids="${one}"]</code></pre></code>
${galleryBlock([imageBlock(undefined, 'http://169.254.169.254/picture.png')])}`;
    const { body: post } = await editor.post(`${core}/posts`, {
      title: 'Summer fair with a long title',
      status: 'publish',
      content,
    });
    const raw = async () => (await editor.get(`${core}/posts/${post.id}?context=edit`)).body.content.raw as string;
    const written = await raw();
    const revisions = async () => (await editor.get(`${core}/posts/${post.id}/revisions`)).body.length as number;
    const before = await revisions();

    const found = await site.as('administrator').post(`${api}/bulk-convert`, { selected_posttype: 'post' });
    assert.deepEqual([found.status, found.body], [200, { posts: [post.id] }], found.text);
    const { body: unused } = await editor.post(`${core}/galleries`, { title: 'Of a conversion that was killed' });
    const { db, write }: Store<ContentTables> = site.app.services.store;
    const marks = () => db.selectFrom('post_meta').select('post_id').where('key', '=', '_gallery_work').execute();
    await write((tx) => keepFirstMeta(tx, unused.id, { _gallery_work: `convert ${post.id} 1` }));
    const converted = await editor.post(`${api}/process-gallery`, { postId: String(post.id) });
    assert.deepEqual([converted.status, converted.body.galleries.length], [200, 3], converted.text);
    assert.deepEqual([(await editor.get(`${core}/galleries/${unused.id}`)).status, await marks()], [404, []]);
    const [block, shared, single] = converted.body.galleries as [number, number, number];
    assert.equal(
      await raw(),
      written
        .replace(nested, `<!-- wp:gallery/embed {"galleryId":${block},"className":"wide"} /-->`)
        .replace(`[gallery ids="${two},${one}" columns="4" size="medium"]`, `[site-gallery id="${shared}"]`)
        .replace(`[gallery size='medium' columns=4 ids=${two},${one}]`, `[site-gallery id="${shared}"]`)
        .replace(`[gallery include="${three}" order="DESC"]`, `[site-gallery id="${single}"]`),
    );
    assert.equal(await revisions(), before + 1);
    const { body: gallery } = await site.get(`${core}/galleries/${block}`);
    assert.equal(gallery.title.rendered, `Summer fair with a l-${post.id}-Converted-2026-11-20 12:00:00`);
    const { config, items } = gallery.gallery_data;
    assert.deepEqual([config.columns, config.image_size, config.description], [2, 'large', 'The <em>fair</em>']);
    assert.deepEqual(
      items.map(({ id, alt, caption, link_new_window }: Record<string, unknown>) => [
        id,
        alt,
        caption,
        link_new_window,
      ]),
      [
        [three, 'Alt 3', 'A third', 1],
        [one, 'Alt 1', '', 1],
      ],
    );
    const { gallery_data: other } = (await site.get(`${core}/galleries/${shared}`)).body;
    assert.deepEqual(
      [other.config.columns, other.config.image_size, other.items.map(({ id }: { id: number }) => id)],
      [4, 'medium', [two, one]],
    );
    const again = await editor.post(`${api}/process-gallery`, { post_id: post.id });
    assert.deepEqual([again.status, again.body.code, again.body.error], [400, 'not_convertible', again.body.message]);
    assert.match(again.body.edit_url, new RegExp(`post=${post.id}&action=edit`));

    await editor.post(`${core}/pages`, { title: 'Also', status: 'publish', content: `[site-gallery id="${single}"]` });
    const reverted = await editor.post(`${api}/revert-gallery`, { post_id: post.id });
    assert.deepEqual(
      [reverted.status, reverted.body.galleries, reverted.body.trashed],
      [200, [block, shared, single], [block, shared]],
      reverted.text,
    );
    assert.equal(await raw(), written);
    assert.equal((await editor.post(`${api}/revert-gallery`, { post_id: post.id })).body.code, 'nothing_to_revert');
    const index = (await site.get('/api/gallery-convert/v1')).body;
    assert.deepEqual(Object.keys(index.routes).includes('/gallery-convert/v1/revert-gallery'), false);
  });

  test('are converted one at a time for an editor, with pictures of other sites fetched, and refused by their codes', async () => {
    const bytes = await picture(50, 50);
    const remote = await aRemote((request, response) => {
      const isThere = request.url === '/there.jpg';
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'image/jpeg' }).end(isThere ? bytes : undefined);
    });
    engine.atEnd(() => remote.close());
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
    const author = site.as('author');
    const [one, two] = (await pictures(site, 2)) as [number, number];
    const count = async () => (await site.get(`${core}/media?_fields=id`)).body.length as number;
    const there = galleryBlock([imageBlock(undefined, `${remote.url}/there.jpg`), imageBlock(one, 'x')]);
    const missing = galleryBlock([
      imageBlock(undefined, `${remote.url}/there.jpg`),
      imageBlock(undefined, `${remote.url}/missing.jpg`),
    ]);
    const content = `${there}\n${missing}`;
    const { body: post } = await author.post(`${core}/posts`, { title: '', status: 'publish', content });
    const converted = await author.post(`${api}/process-gallery`, { post_id: post.id });
    assert.deepEqual([converted.status, await count()], [200, 3], converted.text);
    const { gallery_data: data } = (await site.get(`${core}/galleries/${converted.body.galleries[0]}`)).body;
    assert.deepEqual(
      data.items.map(({ alt }: { alt: string }) => alt),
      ['Elsewhere', 'Alt 1'],
    );
    assert.match(
      (await author.get(`${core}/posts/${post.id}?context=edit`)).body.content.raw,
      /^<!-- wp:gallery\/embed [^>]* \/-->\n<!-- wp:gallery /,
    );

    const images = [two, one].map((id) => ({ id, url: 'https://elsewhere.example/a.jpg', title: `Title ${id}` }));
    const sent = { post_id: post.id, images, sizeSlug: 'full', blockContent: '<!-- wp:gallery --><script>1</script>' };
    const made = await author.post(`${api}/convert-gallery`, sent);
    assert.deepEqual(
      [made.status, made.body.columns, made.body.margins, made.body.custom_margins, made.body.title],
      [200, '3', 'custom', 10, 'Converted-2026-11-20 12:00:00'],
      made.text,
    );
    const { db }: Store<ContentTables> = site.app.services.store;
    const kept = db.selectFrom('post_meta').select(['key', 'value']).where('post_id', '=', post.id);
    const [backup] = await kept.where('key', 'like', 'gallery_block_bkp_%').where('value', 'like', '%>1%').execute();
    assert.match(backup!.key, /^gallery_block_bkp_\d{4}_20261120_120000$/);
    assert.doesNotMatch(backup!.value, /script/);

    const admin = site.as('administrator');
    const refused: [client: { post: typeof admin.post }, path: string, body: object, status: number, code: string][] = [
      [author, 'convert-gallery', {}, 400, 'invalid_post_id'],
      [author, 'convert-gallery', { post_id: 999_999 }, 404, 'post_not_found'],
      [author, 'convert-gallery', { post_id: post.id, images: [] }, 400, 'no_images'],
      [author, 'convert-gallery', { post_id: post.id, images: [{ id: one }] }, 400, 'invalid_image_data'],
      [author, 'convert-gallery', { post_id: post.id, images: [{ id: post.id, url: 'x' }] }, 400, 'invalid_image_data'],
      [site.as('contributor'), 'process-gallery', { post_id: post.id }, 403, 'rest_forbidden'],
      [site, 'process-gallery', { post_id: post.id }, 401, 'rest_forbidden'],
      [author, 'bulk-convert', { selected_posttype: 'post' }, 403, 'rest_forbidden'],
      [admin, 'bulk-convert', {}, 400, 'missing_post_type'],
      [admin, 'bulk-convert', { selected_posttype: 'nonsense' }, 404, 'unknown_post_type'],
      [admin, 'bulk-convert', { selected_posttype: 'wp_block' }, 400, 'no_items'],
      [admin, 'bulk-convert', { selected_posttype: 'gallery' }, 400, 'no_galleries'],
    ];
    const answers = await Promise.all(refused.map(([client, path, body]) => client.post(`${api}/${path}`, body)));
    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.code}`),
      refused.map(([, , , status, code]) => `${status} ${code}`),
    );
  });
});
