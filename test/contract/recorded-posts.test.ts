// Posts as they were recorded, replayed.
import assert from 'node:assert/strict';
import type { PostInput } from '#site/content/posts/post.ts';
import type { TestSite } from '#test/site.ts';
import { accepted } from './accepted-posts.ts';
import { recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const exchanges = [
  ...recorded('posts-read'),
  ...recorded('posts-write'),
  ...recorded('pagination').filter(({ request }) => /\/posts\?/.test(request.line)),
  ...recorded('options').filter(({ name }) => / (?:posts|pages|blocks|Origin)\b/.test(name)),
  ...recorded('errors-400-params').filter(({ request }) => /\/(?:posts|pages)\b/.test(request.line)),
  ...recorded('other-core').filter(({ name }) => /^(?:pages?|blocks|navigation)\b/.test(name)),
];

const many = 1_000;
/** More would wait for connections longer than a busy machine lets them. */
const atOnce = 20;

const paragraph = '<!-- wp:paragraph -->\n<p>Every river stone.</p>\n<!-- /wp:paragraph -->';

/** Posts with the numbers that those had which are asked for, and so many that lists have the pages they had. */
async function seed(site: TestSite): Promise<void> {
  for (const role of ['administrator', 'editor', 'author', 'contributor', 'subscriber']) await site.caller(role);
  const admin = site.as('administrator');
  for (let at = 2; at <= 13; at++) await admin.post('/api/core/v2/categories', { name: `Category ${at}` });
  for (let at = 14; at <= 30; at++) await admin.post('/api/core/v2/tags', { name: `tag-${at}` });
  const { posts } = site.app.services.content;
  const add = async (type: string, said: PostInput): Promise<number> =>
    (await posts.add(type, { content: paragraph, author: 1, ...said }, { unfiltered: true })).id;
  const two = (number: number) => String(number).padStart(2, '0');
  const day = (at: number) => `2025-${two((at % 12) + 1)}-${two((at % 25) + 1)}T12:00:00`;
  const one = (at: number): PostInput => ({
    title: `Post ${at} river stone`,
    slug: `post-${at}`,
    status: 'publish',
    date: day(at),
    terms: { category: [2 + (at % 2)], ...(at % 3 > 0 && { post_tag: [20, 21] }) },
    ...(at % 3 > 0 && { featured_media: 2 }),
  });
  assert.equal(await add('post', { title: 'Hello world!', status: 'publish' }), 1);
  const picture = { mime_type: 'image/png', guid: 'http://site.test/a.png' };
  await posts.add('attachment', { title: 'a', status: 'inherit' }, { unfiltered: true, file: picture });
  for (let first = 0; first < many; first += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => first + at);
    await Promise.all(some.map((at) => add('post', { ...one(at + 2), sticky: at === 5 })));
  }
  for (const parent of [0, 0]) await add('page', { title: 'A page', status: 'publish', parent });
  await add('wp_navigation', { title: 'Navigation', status: 'publish' });
  await add('post', { title: 'Private', status: 'private' });
  for (let at = many + 7; at < 1105; at++) await add('page', { title: `Page ${at}`, status: 'publish' });
  assert.equal(await add('post', { title: 'Draft', status: 'draft' }), 1105);
  for (let at = 0; at < 3; at++) await add('page', { title: `Page ${at}`, status: 'publish' });
  assert.equal(await add('post', { title: 'Hidden', status: 'publish', password: 'sesame' }), 1109);
}

replayed({ topic: 'posts', exchanges, accepted, seed });
