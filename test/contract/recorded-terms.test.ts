// Terms as they were recorded, replayed.
import assert from 'node:assert/strict';
import type { ContentTables, Writing } from '#site/content/tables.ts';
import { termHooks } from '#site/content/terms/post-hooks.ts';
import type { Store } from '#store/store.ts';
import { aPostRow } from '#test/post-rows.ts';
import type { TestSite } from '#test/site.ts';
import { accepted, type Topic } from './accepted-terms.ts';
import { type Exchange, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const topics: Record<Topic, Exchange[]> = {
  terms: recorded('terms'),
  options: recorded('options').filter(({ name }) => /^OPTIONS (?:categories|tags)$/.test(name)),
  errors: [...recorded('errors-400-params'), ...recorded('errors-auth-routing-body')].filter(({ name }) =>
    /^term /.test(name),
  ),
  pagination: recorded('pagination').filter(({ name }) => /^terms /.test(name)),
};

const posts = 76;

/** The terms of the site where it was recorded, with the numbers they had, and posts that carry them. */
async function seeded(site: TestSite): Promise<void> {
  const admin = site.as('administrator');
  const store: Store<ContentTables> = site.app.services.store;
  const add = async (base: string, term: object): Promise<number> => {
    const { status, body, text } = await admin.post(`/api/core/v2/${base}`, term);
    assert.equal(status, 201, text);
    return body.id;
  };
  const roots = ['River', 'Harbor', 'Window', 'Market', 'Garden', 'Stone', 'Tower', 'Lamp'];
  const top: number[] = [];
  for (const name of roots) top.push(await add('categories', { name: `Category ${name}`, description: 'Words.' }));
  const below = ['Copper', 'Velvet', 'Engine', 'Forest'];
  const categories = [...top];
  for (const [at, name] of below.entries())
    categories.push(await add('categories', { name: `Category ${name}`, description: 'Words.', parent: top[at] }));
  const tags: number[] = [];
  for (let at = 1; at <= 42; at++) tags.push(await add('tags', { name: `tag-${at}` }));
  assert.deepEqual([top[0], categories.at(-1)], [2, 13]);
  for (let at = 0; at < posts; at++) {
    const post = await aPostRow(store);
    const terms = { category: [1, ...categories], post_tag: [tags[0]!, tags[1]!, tags[2]!] };
    await store.write((tx) => termHooks.assign(tx as unknown as Writing, post, terms));
  }
}

/** The same name may be of several topics. */
const named = (topic: string, name: string): string => `${topic}: ${name}`;

replayed({
  topic: 'terms',
  exchanges: Object.entries(topics).flatMap(([topic, exchanges]) =>
    exchanges.map((one) => ({ ...one, name: named(topic, one.name) })),
  ),
  accepted: accepted.map((row) => ({ ...row, exchange: named(row.topic, row.exchange) })),
  seed: seeded,
});
