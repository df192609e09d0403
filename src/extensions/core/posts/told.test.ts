// Records that are remembered as anybody gets them show every change at once, whoever made it and whatever it is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type Client, type TestSite } from '#test/site.ts';
import { soon, withinASecond } from '#test/soon.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';
const lists = ['posts', 'pages', 'posts?sticky=true', 'posts?orderby=title&order=asc'];

/** What everybody sees, as it is remembered and as it is made for somebody who is known. */
const asAnybody = (site: TestSite) => seen(site, (path) => site.get(`${core}/${path}`));
const asSomebody = (site: TestSite) => seen(site, (path) => site.as('subscriber').get(`${core}/${path}`));

async function seen(site: TestSite, get: (path: string) => ReturnType<TestSite['get']>): Promise<string> {
  const answers = await Promise.all(lists.map(get));
  const records = answers.flatMap(({ body }) => body.map(({ id, type }: Shown) => `${places[type]}/${id}`));
  const ones = await Promise.all([...new Set<string>(records)].sort().map(get));
  const classic = await site.get(`/wp-json/wp/v2/posts/${records[0]?.split('/')[1]}`);
  assert.ok(classic.text.includes('/wp-json/'));
  return JSON.stringify([...answers, ...ones].map(({ status, body }) => [status, body]));
}

interface Shown {
  readonly id: number;
  readonly type: string;
}

const places: Record<string, string> = { post: 'posts', page: 'pages' };

async function furnished(site: TestSite) {
  const admin = site.as('administrator');
  const add = async (path: string, body: object): Promise<number> => {
    const { status, body: made } = await admin.post(`${core}/${path}`, body);
    assert.equal(status, 201, JSON.stringify(made));
    return made.id;
  };
  const upload = async (name: string) => (await send(site, 'administrator', name, await picture(20, 20))).body.id;
  const writer = await site.user({ login: 'writer', roles: ['author'] });
  const heir = await site.user({ login: 'heir', roles: ['author'] });
  const [alpha, beta] = [await add('tags', { name: 'Alpha' }), await add('tags', { name: 'Beta' })];
  const news = await add('categories', { name: 'News' });
  const [shown, other] = [await upload('shown.jpg'), await upload('other.jpg')];
  const status = 'publish';
  const draft = await add('posts', { title: 'Not yet', content: 'b' });
  const post = await add('posts', {
    title: 'A post',
    content: 'a',
    status,
    tags: [alpha, beta],
    categories: [news],
    featured_media: shown,
    author: writer.id,
  });
  const above = await add('pages', { title: 'Above', content: 'a', status });
  const middle = await add('pages', { title: 'Middle', content: 'a', status, parent: above });
  await add('pages', { title: 'Below', content: 'a', status, parent: middle });
  await add('posts', { title: 'Another', content: 'c', status, featured_media: other });
  return { writer, heir, alpha, beta, news, shown, other, draft, post, above, middle };
}

type Ids = Awaited<ReturnType<typeof furnished>>;

/** One after the other; each shows. */
const changes: [about: string, path: (ids: Ids) => string, body: (ids: Ids) => object][] = [
  ['a title', ({ post }) => `posts/${post}`, () => ({ title: 'Otherwise' })],
  ['a text, and with it the history', ({ post }) => `posts/${post}`, () => ({ content: 'd' })],
  ['a slug', ({ post }) => `posts/${post}`, () => ({ slug: 'elsewhere' })],
  ['a date', ({ post }) => `posts/${post}`, () => ({ date: '2026-01-02T03:04:05' })],
  ['whether it may be commented on', ({ post }) => `posts/${post}`, () => ({ comment_status: 'closed' })],
  ['what is kept beside it', ({ post }) => `posts/${post}`, () => ({ meta: { footnotes: '[1]' } })],
  ['its format', ({ post }) => `posts/${post}`, () => ({ format: 'aside' })],
  ['whether it stands on top', ({ post }) => `posts/${post}`, () => ({ sticky: true })],
  ['its terms', ({ post }) => `posts/${post}`, ({ beta, alpha }) => ({ tags: [alpha, beta].reverse().slice(1) })],
  ['its terms once more', ({ post }) => `posts/${post}`, ({ beta, alpha }) => ({ tags: [alpha, beta] })],
  ['the name of a term, by which they are sorted', ({ alpha }) => `tags/${alpha}`, () => ({ name: 'Zulu' })],
  ['the slug of a term', ({ beta }) => `tags/${beta}`, () => ({ slug: 'second' })],
  ['where its picture belongs, which nobody sees', ({ shown }) => `media/${shown}`, ({ draft }) => ({ post: draft })],
  ['what its picture belongs to is published', ({ draft }) => `posts/${draft}`, () => ({ status: 'publish' })],
  ['what its picture belongs to is private', ({ draft }) => `posts/${draft}`, () => ({ status: 'private' })],
  ['its picture', ({ post }) => `posts/${post}`, ({ other }) => ({ featured_media: other })],
  ['a password', ({ post }) => `posts/${post}`, () => ({ password: 'open', sticky: false })],
  ['no password', ({ post }) => `posts/${post}`, () => ({ password: '' })],
  ['its author', ({ post }) => `posts/${post}`, ({ heir }) => ({ author: heir.id })],
  ['a page above others', ({ above }) => `pages/${above}`, () => ({ slug: 'top' })],
  ['where a page lies', ({ middle }) => `pages/${middle}`, () => ({ parent: 0 })],
  ['which page is in front', () => 'settings', ({ middle }) => ({ show_on_front: 'page', page_on_front: middle })],
  ['whether it is published', ({ post }) => `posts/${post}`, () => ({ status: 'draft' })],
  [
    'that it is published again',
    ({ post }) => `posts/${post}`,
    ({ writer }) => ({ status: 'publish', author: writer.id }),
  ],
];

const ends: [about: string, path: (ids: Ids) => string][] = [
  ['a term that is deleted', ({ beta }) => `tags/${beta}?force=true`],
  ['a category that is deleted', ({ news }) => `categories/${news}?force=true`],
  ['a picture that is deleted', ({ other }) => `media/${other}?force=true`],
  ['an author who is deleted', ({ writer, heir }) => `users/${writer.id}?force=true&reassign=${heir.id}`],
  ['a page that is deleted', ({ middle }) => `pages/${middle}?force=true`],
  ['a post in the trash', ({ post }) => `posts/${post}`],
];

const steps = [
  ...changes.map(([about, path, body]) => ({
    about,
    work: (admin: Client, ids: Ids) => admin.post(`${core}/${path(ids)}`, body(ids)),
  })),
  ...ends.map(([about, path]) => ({
    about,
    work: (admin: Client, ids: Ids) => admin.delete(`${core}/${path(ids)}`),
  })),
];

eachEngine('What anybody gets shows at once, and within a second where another process made it:', (engine) => {
  let paper: { readonly site: TestSite; readonly elsewhere: TestSite; readonly ids: Ids };
  before(async () => {
    const site = await aSite(engine);
    const { data, database } = site.config;
    const elsewhere = await aSite(engine, { config: { data, ...(database && { database }) } });
    paper = { site, elsewhere, ids: await furnished(site) };
  });

  for (const { about, work } of steps)
    test(about, async () => {
      const { site, elsewhere, ids } = paper;
      const earlier = await asAnybody(site);
      await withinASecond(async () => (await asAnybody(elsewhere)) === earlier, true);
      const { status, text } = await work(site.as('administrator'), ids);
      assert.equal(status, 200, text);
      const now = await asAnybody(site);
      assert.ok(now !== earlier, 'it shows');
      assert.ok(now === (await asSomebody(site)), 'it is shown as it is');
      await withinASecond(async () => (await asAnybody(elsewhere)) === now, true);
    });
});

eachEngine('What anybody gets', (engine) => {
  test('is made once for each version, and is the same bytes and the same tag ever after', async () => {
    const site = await aSite(engine);
    await furnished(site);
    const path = `${core}/posts?per_page=10`;
    const first = await site.get(path);
    const written = await site.as('administrator').post(`${core}/tags`, { name: 'Of nothing' });
    assert.equal(written.status, 201);
    const again = await site.get(path);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    const pretty = await site.get(`${path}&_pretty`);
    assert.deepEqual(pretty.body, first.body);
    assert.notEqual(pretty.text, first.text);
    const enclosed = await site.get(`${path}&_envelope`);
    assert.deepEqual(enclosed.body.body, first.body);
  });

  test('is ready before anybody asks where it has changed and is read, and is not made where nobody reads', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const { content } = site.app.services;
    const ready = async (id: number) =>
      content.told.known({ face: 'neutral', added: '' }, [await content.posts.get(id)])[0] !== undefined;
    const isReady = (id: number) => soon(() => ready(id), true);
    const add = async (title: string): Promise<number> =>
      (await admin.post(`${core}/posts`, { title, status: 'publish' })).body.id;
    const first = await add('First');
    assert.equal(await ready(first), false);
    await site.get(`${core}/posts`);
    await admin.post(`${core}/posts/${first}`, { title: 'Otherwise' });
    await isReady(first);
    await isReady(await add('Second'));
    await admin.post(`${core}/posts/${first}`, { status: 'draft' });
    assert.equal(await ready(first), false);
  });
});
