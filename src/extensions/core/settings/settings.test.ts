import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type Client } from '#test/site.ts';

const path = '/api/core/v2/settings';

const uploaded = async (client: Client, name: string, body: Buffer) => {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  };
  return (await client.request('POST', '/api/core/v2/media', { body, headers })).body;
};

eachEngine('settings on the wire', (engine) => {
  test('texts are HTML outside and as typed inside, and what was read can be sent back', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const { body } = await admin.post(path, { title: `Tom & Jerry's <i>`, description: 'A &amp; B' });
    assert.equal(body.title, 'Tom &amp; Jerry&#039;s &lt;i&gt;');
    assert.equal(body.description, 'A &amp; B');
    assert.deepEqual((await admin.put(path, body)).body, body);
    const kept = await site.app.services.settings.read(site.app.services.siteGroup);
    assert.deepEqual([kept.title, kept.description], [`Tom & Jerry's <i>`, 'A & B']);
    assert.equal((await site.get('/api/')).body.name, 'Tom &amp; Jerry&#039;s &lt;i&gt;');
  });

  test('null sets the default again, and the address stays as it is', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const before = (await admin.get(path)).body;
    const site_logo = (await uploaded(admin, 'logo.png', await picture(40, 40, 'png'))).id;
    const sent = { default_ping_status: 'closed', posts_per_page: 3, timezone: 'Europe/Prague', site_logo };
    assert.partialDeepStrictEqual((await admin.post(path, sent)).body, sent);
    const odd = { url: 'https://elsewhere.test', unknown: 1 };
    assert.partialDeepStrictEqual((await admin.post(path, odd)).body, { timezone: 'Europe/Prague', url: before.url });
    const none = { default_ping_status: null, posts_per_page: null, timezone: null, site_logo: null };
    assert.deepEqual((await admin.post(path, none)).body, before);
  });

  test('what does not fit is refused by name and changes nothing', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const before = (await admin.get(path)).body;
    const cases: [string, unknown][] = [
      ['posts_per_page', 0],
      ['start_of_week', 9],
      ['show_on_front', 'nothing'],
      ['email', 'nope'],
      ['timezone', 'Dublin'],
      ['page_on_front', 99_999],
      ['page_for_posts', 99_999],
      ['default_category', 99_999],
      ['site_logo', 99_999],
      ['site_icon', 99_999],
      ['title', 'x'.repeat(1_001)],
      ['language', '<script>'],
    ];
    for (const [name, value] of cases) {
      const { status, body } = await admin.post(path, { description: 'new', [name]: value });
      assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', [name]], name);
    }
    assert.deepEqual((await admin.get(path)).body, before);
  });

  test('all that does not fit is named at once', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const { status, body } = await admin.post(path, { email: 'nope', show_on_front: 'nothing', timezone: 'Dublin' });
    assert.deepEqual([status, Object.keys(body.data.params).sort()], [400, ['email', 'show_on_front', 'timezone']]);
  });

  test('a page of the site can be its front page, and may be gone when the settings are sent back', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const { id } = (await admin.post('/api/core/v2/pages', { title: 'Front', status: 'publish' })).body;
    const { id: post } = (await admin.post('/api/core/v2/posts', { title: 'Post', status: 'publish' })).body;
    assert.equal((await admin.post(path, { page_on_front: post })).status, 400);
    assert.equal((await admin.post(path, { show_on_front: 'page', page_on_front: id })).body.page_on_front, id);
    await admin.delete(`/api/core/v2/pages/${id}?force=true`);
    const { body } = await admin.get(path);
    assert.deepEqual((await admin.post(path, body)).body, body);
  });

  test('a category and images of the site can be chosen, nothing else, and may be gone when the settings are sent back', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const made = async (kind: string, body: object): Promise<number> =>
      (await admin.post(`/api/core/v2/${kind}`, body)).body.id;
    const [category, tag] = [await made('categories', { name: 'News' }), await made('tags', { name: 'Tag' })];
    const image = (await uploaded(admin, 'icon.png', await picture(40, 40, 'png'))).id;
    const words = (await uploaded(admin, 'words.txt', Buffer.from('Words'))).id;
    const wrong = { default_category: tag, site_logo: words, site_icon: await made('pages', { title: 'Page' }) };
    const refused = await admin.post(path, { description: 'new', ...wrong });
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, Object.keys(wrong)]);
    assert.equal(
      refused.body.message,
      `default_category must be the id of a category; category ${tag} does not exist.`,
    );
    const chosen = { default_category: category, site_logo: image, site_icon: image };
    assert.partialDeepStrictEqual((await admin.post(path, chosen)).body, {
      ...chosen,
      description: 'A school and its parish',
    });
    await admin.delete(`/api/core/v2/media/${image}?force=true`);
    const { body } = await admin.get(path);
    assert.equal(body.site_icon, image);
    assert.deepEqual((await admin.post(path, body)).body, body);
    const none = { default_category: 0, site_logo: 0, site_icon: 0 };
    assert.partialDeepStrictEqual((await admin.post(path, none)).body, none);
  });

  test('they are for administrators alone', async () => {
    const site = await aSite(engine);
    for (const role of ['subscriber', 'editor', 'parish_admin']) {
      assert.equal((await site.as(role).get(path)).body.code, 'rest_forbidden', role);
      assert.equal((await site.as(role).post(path, { title: 'Mine' })).status, 403, role);
    }
    assert.equal((await site.get(path)).status, 401);
  });

  test('the logo and the icon are told at the index while they are there, and lead to their records', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const index = async () => (await site.get('/wp-json/?_embed')).body;
    const { id, source_url } = await uploaded(admin, 'icon.png', await picture(40, 40, 'png'));
    await admin.post(path, { site_logo: id, site_icon: id });
    const { _links, _embedded, ...facts } = await index();
    assert.partialDeepStrictEqual(facts, { site_logo: id, site_icon: id, site_icon_url: source_url });
    const href = `http://site.test/wp-json/wp/v2/media/${id}`;
    const linked = (type: string) => ({ embeddable: true, type, href });
    assert.deepEqual(_links['wp:featuredmedia'], [linked('site_logo'), linked('site_icon')]);
    assert.equal(_embedded['wp:featuredmedia'][1].source_url, source_url);
    await admin.delete(`/api/core/v2/media/${id}?force=true`);
    const without = await index();
    assert.deepEqual([without.site_icon_url, without._links['wp:featuredmedia']], ['', undefined]);
  });
});
