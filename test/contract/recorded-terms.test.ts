// Terms as they were recorded, replayed on both faces and both stores.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Face } from '#kernel/faces.ts';
import type { ContentTables, Writing } from '#site/content/tables.ts';
import { termHooks } from '#site/content/terms/post-hooks.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import type { TestSite } from '#test/site.ts';
import { accepted, type Topic } from './accepted-terms.ts';
import { shipped } from './checker.ts';
import { type Exchange, type Filling, recorded, replayOn } from './recorded.ts';

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

async function fillingOf(site: TestSite): Promise<Filling> {
  await seeded(site);
  return {
    headers: async ({ request: { as, headers } }) => ({
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(as !== null && (await site.credentials(as === 'admin' ? 'administrator' : as))),
    }),
    word: (placeholder) => placeholder,
    body: () => '',
  };
}

const acceptedFor = (topic: string, { name }: Exchange): readonly string[] =>
  accepted.flatMap((row) => (row.topic === topic && row.exchange === name ? row.differs : []));

for (const face of ['neutral', 'classic'] satisfies Face[]) {
  eachEngine(`Recorded, terms, on the ${face} face`, async (engine) => {
    const site = await shipped(engine, 'b');
    const { play } = replayOn(site, face, await fillingOf(site));
    for (const [topic, exchanges] of Object.entries(topics)) {
      for (const exchange of exchanges) {
        test(`${topic}: ${exchange.name}`, async () => {
          assert.deepEqual((await play(exchange)).sort(), [...acceptedFor(topic, exchange)].sort());
        });
      }
    }
  });
}

describe('The accepted differences', () => {
  for (const { topic, exchange } of accepted) {
    test(`${topic}: ${exchange} was recorded`, () => {
      assert.ok(topics[topic].some(({ name }) => name === exchange));
    });
  }
});
