// What becomes of everything somebody wrote, uploaded and said, when they are deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalTopics } from '#site/content/tables.ts';
import { totalsOf } from '#site/platform/totals.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { type Answer, aSite, type Client } from '#test/site.ts';

const root = '/api/core/v2';
const shape = ({ status, body }: Answer) => [status, body?.code];

/** A paper whose editor Ada wrote some of everything, and others something to it. */
async function aPaper(engine: TestEngine) {
  const site = await aSite(engine);
  const [ada, bea] = [
    await site.user({ login: 'ada', name: 'Ada', roles: ['editor'] }),
    await site.user({ login: 'bea', roles: ['author'] }),
  ];
  const [byAda, byBea, admin] = [site.asUser(ada), site.asUser(bea), site.as('administrator')];
  const made = async (by: Client, base: string, said: object): Promise<number> => {
    const { status, body, text } = await by.post(`${root}/${base}`, said);
    assert.equal(status, 201, text);
    return body.id;
  };
  const category = await made(byAda, 'categories', { name: 'River' });
  const published = await made(byAda, 'posts', { title: 'Heron', status: 'publish', categories: [category] });
  const trashed = await made(byAda, 'posts', { title: 'Otter', status: 'publish' });
  await byAda.delete(`${root}/posts/${trashed}`);
  const draft = await made(byAda, 'posts', { title: 'Plans', content: 'heron too' });
  const page = await made(byAda, 'pages', { title: 'About', status: 'publish' });
  const block = await made(byAda, 'blocks', { title: 'Box', status: 'publish', content: 'heron' });
  const theirs = await made(byBea, 'posts', { title: 'Kingfisher', status: 'publish', categories: [category] });
  const below = await made(admin, 'pages', { title: 'Below', status: 'publish', parent: page });
  const sent = await byAda.request('POST', `${root}/media?post=${theirs}`, {
    headers: { 'content-disposition': 'attachment; filename="heron.jpg"', 'content-type': 'image/jpeg' },
    body: await picture(400, 300),
  });
  assert.equal(sent.status, 201, sent.text);
  const file = sent.body as { id: number; source_url: string };
  await byBea.post(`${root}/posts/${theirs}`, { featured_media: file.id });
  await byAda.post(`${root}/posts/${published}`, { title: 'Heron and others' });
  await byAda.post(`${root}/posts/${theirs}`, { content: 'Mended.' });
  await byAda.post(`${root}/posts/${theirs}/autosaves`, { content: 'Unsaved.' });
  const said = await made(byAda, 'comments', { post: theirs, content: 'Good.' });
  await made(byBea, 'comments', { post: published, content: 'Thanks, heron.' });
  const paths = async () => {
    const all: string[] = [];
    for await (const { path } of site.app.services.files.list()) all.push(path);
    return all;
  };
  const leaving = (query: string) => admin.delete(`${root}/users/${ada.id}?force=true&${query}`);
  const hers = { posts: [published, trashed, draft], pages: [page], blocks: [block], media: [file.id] };
  return { ...site, admin, ada, bea, byBea, category, published, theirs, below, file, said, hers, paths, leaving };
}

type Paper = Awaited<ReturnType<typeof aPaper>>;

/** The numbers of all that is kept under a number of hers, or names her. */
async function left({ app, hers, ada }: Paper): Promise<unknown[]> {
  const { db } = app.services.store;
  const ids = Object.values(hers).flat();
  const of = ['post_meta', 'old_slugs', 'post_terms', 'revisions', 'comments', 'media', 'media_paths'];
  const kept = of.map((table) => db.selectFrom(table).select('post_id').where('post_id', 'in', ids).execute());
  const sought = db.selectFrom('posts_search').select('rowid').where('rowid', 'in', ids).execute();
  const posts = db
    .selectFrom('posts')
    .select('id')
    .where((row) => row.or([row('id', 'in', ids), row('author', '=', ada.id), row('parent', 'in', ids)]));
  const revisions = db.selectFrom('revisions').select('id').where('author', '=', ada.id).execute();
  const said = db.selectFrom('comments').select('id').where('user_id', '=', ada.id).execute();
  return (await Promise.all([...kept, sought, posts.execute(), revisions, said])).flat();
}

/** What is told of how many there are is what there is. */
async function demandCounted({ app }: Paper): Promise<void> {
  const { db } = app.services.store;
  const topics = { posts: ['type', 'status'], authors: ['author', 'type', 'status'] } as const;
  for (const [topic, by] of Object.entries(topics)) {
    const rows = await db.selectFrom('posts').select(by).execute();
    const counted: Record<string, number> = {};
    for (const row of rows) {
      const key = by.map((column) => (row as Record<string, unknown>)[column]).join('/');
      counted[key] = (counted[key] ?? 0) + 1;
    }
    const told = Object.entries(await totalsOf(db, totalTopics[topic as 'posts' | 'authors']));
    assert.deepEqual(Object.fromEntries(told.filter(([, total]) => total !== 0)), counted, topic);
  }
  const [comments] = await db
    .selectFrom('comments')
    .select((row) => row.fn.countAll<number>().as('many'))
    .execute();
  const told = Object.values(await totalsOf(db, totalTopics.comments)).reduce((sum, total) => sum + total, 0);
  assert.equal(told, Number(comments?.many));
}

eachEngine('a user who is deleted', (engine) => {
  for (const query of ['reassign=', 'reassign=false'])
    test(`takes everything along with ${query}, and nothing of anybody else’s`, async () => {
      const paper = await aPaper(engine);
      const { get, admin, file, theirs, below, category, published, said, paths } = paper;
      assert.ok((await paths()).length > 1);
      const { status, body } = await paper.leaving(query);
      assert.deepEqual([status, body.deleted, body.previous.id], [200, true, paper.ada.id]);
      assert.deepEqual(await left(paper), []);
      assert.deepEqual(await paths(), []);
      assert.equal((await get(new URL(file.source_url).pathname)).status, 404);
      for (const [base, ids] of Object.entries(paper.hers))
        for (const id of ids) assert.equal((await admin.get(`${root}/${base}/${id}`)).status, 404, `${base} ${id}`);
      const other = (await get(`${root}/posts/${theirs}`)).body;
      assert.deepEqual(
        [other.author, other.content.rendered.trim(), other.featured_media],
        [paper.bea.id, '<p>Mended.</p>', 0],
      );
      assert.equal((await get(`${root}/pages/${below}`)).body.parent, 0);
      assert.equal((await get(`${root}/categories/${category}`)).body.count, 1);
      assert.deepEqual((await get(`${root}/posts?search=heron`)).body, []);
      assert.equal((await get(`${root}/posts`)).headers.get('x-wp-total'), '1');
      const { author, author_name } = (await get(`${root}/comments/${said}`)).body;
      assert.deepEqual([author, author_name], [0, 'Ada']);
      assert.deepEqual((await get(`${root}/comments?post=${published}`)).body, []);
      assert.deepEqual((await admin.get(`${root}/posts/${theirs}/autosaves`)).body, []);
      await demandCounted(paper);
    });

  test('leaves everything to whom it is given, in the state in which it was', async () => {
    const paper = await aPaper(engine);
    const { get, admin, bea, byBea, hers, file, said, theirs, published, paths } = paper;
    const before = await paths();
    assert.equal((await paper.leaving(`reassign=${bea.id}`)).status, 200);
    assert.deepEqual(await paths(), before);
    assert.equal((await get(new URL(file.source_url).pathname)).status, 200);
    for (const [base, ids] of Object.entries(hers))
      for (const id of ids) assert.equal((await admin.get(`${root}/${base}/${id}`)).body.author ?? bea.id, bea.id);
    const { body, headers } = await get(`${root}/posts?author=${bea.id}&orderby=id&order=asc`);
    assert.deepEqual([body.map(({ id }: { id: number }) => id), headers.get('x-wp-total')], [[published, theirs], '2']);
    assert.equal((await get(`${root}/posts?author=${paper.ada.id}`)).headers.get('x-wp-total'), '0');
    const [trashed] = (await byBea.get(`${root}/posts?status=trash`)).body;
    assert.equal((await byBea.post(`${root}/posts/${trashed.id}`, { status: 'publish' })).body.slug, 'otter');
    const [revision] = (await byBea.get(`${root}/posts/${published}/revisions`)).body;
    assert.equal(revision.author, bea.id);
    assert.deepEqual((await admin.get(`${root}/posts/${theirs}/autosaves`)).body, []);
    const { author, author_name } = (await get(`${root}/comments/${said}`)).body;
    assert.deepEqual([author, author_name], [0, 'Ada']);
    const { store } = paper.app.services;
    assert.deepEqual(await store.db.selectFrom('posts').select('id').where('author', '=', paper.ada.id).execute(), []);
    await demandCounted(paper);
  });

  test('is there still, with everything, when nobody can take it over', async () => {
    const paper = await aPaper(engine);
    const { leaving, ada, get, hers, published } = paper;
    for (const nobody of [ada.id, 4711]) {
      assert.deepEqual(shape(await leaving(`reassign=${nobody}`)), [400, 'rest_user_invalid_reassign']);
    }
    assert.deepEqual(shape(await leaving('')), [400, 'rest_missing_callback_param']);
    const one = (await get(`${root}/posts/${published}`)).body;
    assert.deepEqual([one.author, one.title.rendered], [ada.id, 'Heron and others']);
    assert.equal((await paper.admin.get(`${root}/posts?author=${ada.id}&status=any`)).body.length, 2);
    assert.equal((await get(`${root}/users/${ada.id}`)).status, 200, JSON.stringify(hers));
  });
});
