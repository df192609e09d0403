// A site with very many short posts, without the work of writing them one by one.
import { findable, searchRow, titleKey } from '#site/content/posts/found-by.ts';
import { totalTopics, type Writing } from '#site/content/tables.ts';
import { count } from '#site/platform/totals.ts';
import type { AnyTables } from '#store/handles.ts';
import type { Store } from '#store/store.ts';

/** In a third of all posts, and in a thousand of them at most. */
export const common = 'festival';
export const rare = 'quillfeather';
/** Carried by every tenth post. */
export const category = 1;

const syllables = 'ka ro mi ten sol ver an der li mo pra qui sto ne ba lu fi gor wen sha'.split(' ');
const vocabulary = Array.from({ length: 30_000 }, (_, at) => wordOf(at * 7 + 403));

function wordOf(number: number): string {
  const syllable = syllables[number % syllables.length]!;
  return number < syllables.length ? syllable : syllable + wordOf(Math.floor(number / syllables.length));
}

const atOnce = 1000;

/** Fills a store that has no content yet. */
export async function fillPosts(store: Store<AnyTables>, many: number): Promise<void> {
  await store.write((tx: Writing) => tx.insertInto('terms').values(theCategory).execute());
  for (let from = 1; from <= many; from += atOnce) await some(store, from, many);
}

const theCategory = {
  id: category,
  taxonomy: 'category',
  slug: 'c',
  name: 'C',
  name_key: 'c',
  description: '',
  parent: 0,
  count: 0,
};

async function some(store: Store<AnyTables>, from: number, many: number): Promise<void> {
  const posts = Array.from({ length: Math.min(atOnce, many - from + 1) }, (_, at) => postOf(from + at, many));
  const sorted = posts.filter(({ id }) => id % 10 === 0);
  await store.write(async (tx: Writing) => {
    const rows = posts.map((post) => ({ ...post, title_key: titleKey(post.title) }));
    await tx.insertInto('posts').values(rows).execute();
    await findable(tx, posts.map(searchRow));
    if (sorted.length > 0)
      await tx
        .insertInto('post_terms')
        .values(
          sorted.map(({ id, type, status, date }) => ({
            term_id: category,
            post_id: id,
            taxonomy: 'category',
            type,
            status,
            date,
          })),
        )
        .execute();
    await count(tx, totalTopics.posts, { 'post/publish': posts.length });
    await count(tx, totalTopics.authors, { '1/post/publish': posts.length });
    await count(tx, totalTopics.terms, { [`${category}/post/publish`]: sorted.length });
  });
}

function postOf(id: number, many: number) {
  const date = new Date(Date.UTC(2010) + ((id * 7919) % many) * 400_000).toISOString().slice(0, 19);
  const title = `Post ${id} ${vocabulary[(id * 31) % vocabulary.length]}`;
  return {
    id,
    type: 'post',
    status: 'publish',
    author: 1,
    parent: 0,
    menu_order: 0,
    slug: `post-${id}`,
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    password: '',
    comment_status: 'open',
    ping_status: 'open',
    template: '',
    format: '',
    sticky: 0 as const,
    featured_media: 0,
    mime_type: '',
    guid: '',
    version: 1,
    title,
    excerpt: '',
    content: contentOf(id, many),
  };
}

/** The first words of the vocabulary come often, the last ones hardly ever. */
function contentOf(id: number, many: number): string {
  let state = id * 2_654_435_761;
  const words = Array.from({ length: 60 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return vocabulary[Math.floor(vocabulary.length * (state / 2 ** 32) ** 3)]!;
  });
  if (id % 3 === 0) words[id % 50] = common;
  if (id % Math.max(1, many / 1000) === 0) words[(id % 50) + 1] = rare;
  return words.join(' ');
}
