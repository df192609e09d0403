// What is put into the trash is out of everybody's way, comes back as it was, and goes for good in time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { testClock } from '#test/queue.ts';
import { type Answer, aSite, type SiteOptions } from '#test/site.ts';

const root = '/api/core/v2';
const shape = ({ status, body }: Answer) => [status, body?.code];

async function aPaper(engine: TestEngine, options: SiteOptions = {}) {
  const site = await aSite(engine, options);
  const [editor, author] = [site.as('editor'), site.as('author')];
  const made = async (base: string, said: object, by = editor) => {
    const { status, body, text } = await by.post(`${root}/${base}`, said);
    assert.equal(status, 201, text);
    return body;
  };
  const total = async (query: string, by: Pick<typeof editor, 'get'> = site) =>
    Number((await by.get(`${root}/${query}`)).headers.get('x-wp-total'));
  return { ...site, editor, author, made, total };
}

eachEngine('the trash of a site', (engine) => {
  test('takes a post with its comments out of all lists and counts, and gives it back as it was', async () => {
    const { editor, get, made, total } = await aPaper(engine);
    const { id: category } = await made('categories', { name: 'River' });
    const post = await made('posts', { title: 'Heron', status: 'private', categories: [category], slug: 'bird' });
    await editor.post(`${root}/posts/${post.id}`, { status: 'publish' });
    const comments = [
      await made('comments', { post: post.id, content: 'Yes' }),
      await made('comments', { post: post.id, content: 'No', status: 'hold' }),
      await made('comments', { post: post.id, content: 'Buy' }),
    ];
    await editor.post(`${root}/comments/${comments[1].id}`, { status: 'hold' });
    await editor.delete(`${root}/comments/${comments[2].id}`);
    const everywhere = async () => [
      await total('posts'),
      await total('posts?search=heron'),
      await total(`posts?categories=${category}`),
      (await get(`${root}/categories/${category}`)).body.count,
      await total('comments'),
      await total('comments?status=hold', editor),
      await total('comments?status=trash', editor),
      await total('posts?status=trash', editor),
    ];
    assert.deepEqual(await everywhere(), [1, 1, 1, 1, 1, 1, 1, 0]);

    const put = await editor.delete(`${root}/posts/${post.id}`);
    assert.deepEqual(
      [put.body.status, put.body.slug, put.body.link],
      ['trash', 'bird__trashed', `http://site.test/?p=${post.id}`],
    );
    assert.deepEqual(await everywhere(), [0, 0, 0, 0, 0, 0, 1, 1]);
    assert.deepEqual(shape(await get(`${root}/posts/${post.id}`)), [401, 'rest_forbidden']);
    assert.deepEqual(shape(await editor.delete(`${root}/posts/${post.id}`)), [410, 'rest_already_trashed']);
    const late = await editor.post(`${root}/comments`, { post: post.id, content: 'Late' });
    assert.deepEqual(shape(late), [403, 'rest_comment_trash_post']);
    assert.deepEqual(shape(await editor.post(`${root}/posts/${post.id}`, { status: 'any' })), [
      400,
      'rest_invalid_param',
    ]);
    assert.equal((await editor.post(`${root}/posts/${post.id}`, { title: 'Heron, grey' })).body.status, 'trash');

    const back = await editor.post(`${root}/posts/${post.id}`, { status: 'publish' });
    assert.deepEqual([back.body.status, back.body.slug, back.body.date], ['publish', 'bird', post.date]);
    assert.deepEqual(await everywhere(), [1, 1, 1, 1, 1, 1, 1, 0]);
    assert.equal((await get(`${root}/comments/${comments[0].id}`)).body.status, 'approved');
  });

  test('is as much anybody’s as what lies in it was before', async () => {
    const { as, editor, author, made, caller } = await aPaper(engine);
    const contributor = as('contributor');
    const { id: own } = await caller('contributor');
    const draft = await made('posts', { title: 'Draft' }, contributor);
    const published = await made('posts', { title: 'Published', status: 'publish', author: own });
    for (const { id } of [draft, published]) await editor.delete(`${root}/posts/${id}`);
    assert.equal((await contributor.get(`${root}/posts/${draft.id}?context=edit`)).status, 200);
    assert.deepEqual(shape(await contributor.post(`${root}/posts/${published.id}`, { status: 'draft' })), [
      403,
      'rest_cannot_edit',
    ]);
    assert.deepEqual(shape(await contributor.delete(`${root}/posts/${published.id}?force=true`)), [
      403,
      'rest_cannot_delete',
    ]);
    assert.deepEqual(shape(await author.get(`${root}/posts/${draft.id}`)), [403, 'rest_forbidden']);
    assert.equal((await contributor.post(`${root}/posts/${draft.id}`, { status: 'pending' })).body.status, 'pending');
    await editor.delete(`${root}/posts/${draft.id}`);
    assert.equal((await contributor.delete(`${root}/posts/${draft.id}?force=true`)).body.previous.status, 'trash');
  });

  test('gives names back, to pages and menus as well', async () => {
    const { editor, made, as, get } = await aPaper(engine);
    const page = await made('pages', { title: 'About', status: 'publish' });
    const below = await made('pages', { title: 'Team', status: 'publish', parent: page.id });
    const menu = await made('navigation', { title: 'Menu', status: 'publish' }, as('administrator'));
    await editor.delete(`${root}/pages/${page.id}`);
    await as('administrator').delete(`${root}/navigation/${menu.id}`);
    assert.equal((await made('pages', { title: 'About', status: 'publish' })).slug, 'about');
    assert.equal((await get(`${root}/pages/${below.id}`)).body.parent, page.id);
    const back = await editor.post(`${root}/pages/${page.id}`, { status: 'publish' });
    assert.deepEqual([back.body.slug, back.body.link], ['about-2', 'http://site.test/about-2/']);
    assert.equal((await get(`${root}/pages/${below.id}`)).body.link, 'http://site.test/about-2/team/');
    const menuBack = await as('administrator').post(`${root}/navigation/${menu.id}`, { status: 'publish' });
    assert.equal(menuBack.body.slug, 'menu');
  });

  test('is emptied after as many days as the site says, and leaves nothing', async () => {
    const clock = testClock();
    const site = await aPaper(engine, { clock, env: { GATEHOUSE_TRASH_DAYS: '3' } });
    const { editor, made, total, app } = site;
    const post = await made('posts', { title: 'Heron', status: 'publish' });
    await made('comments', { post: post.id, content: 'Yes' });
    await editor.delete(`${root}/posts/${post.id}`);
    clock.pass(3 * day - 1_000);
    await app.services.jobs.settled();
    assert.equal(await total('posts?status=trash', editor), 1);
    clock.pass(day);
    await app.services.jobs.settled();
    assert.equal(await total('posts?status=trash', editor), 0);
    assert.deepEqual(shape(await editor.get(`${root}/posts/${post.id}`)), [404, 'rest_post_invalid_id']);
    assert.equal(await total('comments?status=post-trashed', editor), 0);
  });

  test('is not there where a site does without one', async () => {
    const { editor, made, get } = await aPaper(engine, { env: { GATEHOUSE_TRASH_DAYS: '0' } });
    const post = await made('posts', { title: 'Heron', status: 'publish' });
    const comment = await made('comments', { post: post.id, content: 'Yes' });
    for (const one of [`posts/${post.id}`, `comments/${comment.id}`])
      assert.deepEqual(shape(await editor.delete(`${root}/${one}`)), [501, 'rest_trash_not_supported'], one);
    assert.equal((await get(`${root}/posts/${post.id}`)).status, 200);
    assert.equal((await editor.delete(`${root}/posts/${post.id}?force=true`)).status, 200);
  });
});
