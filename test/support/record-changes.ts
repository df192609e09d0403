// Every kind of change of a post or page, and the records that visitors are sent after it.
import assert from 'node:assert/strict';
import { picture } from './pictures.ts';
import type { Client, TestSite } from './site.ts';
import { send } from './uploads.ts';

export const core = '/api/core/v2';
const lists = ['posts', 'pages', 'posts?sticky=true', 'posts?orderby=title&order=asc'];

/** What everybody sees, as it is remembered and as it is made for somebody who is known. */
export const asAnybody = (site: TestSite) => seen(site, (path) => site.get(`${core}/${path}`));
export const asSomebody = (site: TestSite) => seen(site, (path) => site.as('subscriber').get(`${core}/${path}`));

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

export async function furnished(site: TestSite) {
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

export const steps = [
  ...changes.map(([about, path, body]) => ({
    about,
    work: (admin: Client, ids: Ids) => admin.post(`${core}/${path(ids)}`, body(ids)),
  })),
  ...ends.map(([about, path]) => ({
    about,
    work: (admin: Client, ids: Ids) => admin.delete(`${core}/${path(ids)}`),
  })),
];
