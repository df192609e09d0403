// Posts that are made as test data against a bare script that draws the same texts and writes the same rows, on both engines.
import { join } from 'node:path';
import { drawsOf } from '#lib/draws.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { openStore, type Store } from '#store/store.ts';
import { openSite } from '../src/boot/open-site.ts';
import { tableOwners } from '../src/boot/tables.ts';
import { readConfig } from '../src/config.ts';
import { openFake } from '../src/extensions/test-data/fake.ts';
import { draw } from '../src/extensions/test-data/posts/posts.ts';
import { createTestData } from '../src/extensions/test-data/test-data.ts';
import { type BareRows, bareRows } from './bare-rows.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import { figureHere, timed } from './here.ts';
import type { Round } from './measure.ts';
import type { Figure, Section } from './report.ts';

/** At most 1.5 times as long. */
const least = 0.67;
const posts = 1_000;
const atOnce = 100;
const terms = 20;

export const measureTestData = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Test data',
    about: `${posts} posts are ordered of a site with ${terms} categories and ${terms} tags, ${atOnce} at a time, by what the route calls. The reference is a
bare script that draws the same texts and writes the same rows, ${atOnce} posts a commit, by \`node:sqlite\` (WAL, \`synchronous=FULL\`) or
\`pg\`: posts, the marks beside them, who carries which term and how many do, search, words, totals. Ours asks inside each write who
orders and whether they may, looks for free slugs, and raises events.`,
    figures: [
      ...(await figureOf('SQLite', folder)),
      ...(await onPostgres(2, (databases) => figureOf('PostgreSQL', folder, databases))),
    ],
  }));

const silent = { info() {}, warn() {}, error() {} };

async function figureOf(engine: string, folder: string, [own, other]: readonly string[] = []): Promise<Figure[]> {
  const place = (name: string, database: string | undefined) => ({
    data: join(folder, `${engine}-${name}`),
    ...(database !== undefined && { database }),
  });
  const env = {
    GATEHOUSE_SECRET: 'a secret that only this bench knows of',
    GATEHOUSE_LOG: 'error',
    GATEHOUSE_DATAGEN_BATCH: `${atOnce}`,
  };
  const config = readConfig({ flags: place('ours', own), env });
  const { services, close } = await openSite(config, silent);
  const bareStore = await openStore({ ...place('bare', other), tables: tableOwners(), log: silent });
  await bareStore.close();
  const bare = await bareRows(other ?? { file: join(folder, `${engine}-bare`, 'gatehouse.db') });
  const program = { version: '1.0.0', isServing: true, extensions: {}, modules: {}, firstGroups: false };
  const { orders, makers } = createTestData({ ...services, operator: config, program });
  const ada = await services.identity.users.add({ login: 'ada', roles: ['administrator'] });
  const maker = makers.atTheMachine(ada);
  for (const taxonomy of ['category', 'post_tag'])
    await orders.generate('terms', { taxonomy, quantity: terms, seed: 'bench' }, maker);
  const store = services.store as unknown as Store<ContentTables>;
  const kinds = await copyTerms(store, bare);
  let round = 0;
  let copied = 0;
  const ours = async (): Promise<Round> => {
    const order = { quantity: posts, seed: `round ${round++}`, post_type: 'post', post_status: 'publish' };
    return timed(posts, async () => {
      for (let offset = 0; offset < posts; offset += atOnce)
        await orders.generate('posts', { ...order, offset, total: posts }, maker);
    });
  };
  const reference = async (): Promise<Round> => {
    const seed = `round ${round - 1}`;
    const rows = await rowsOf(store, copied);
    copied = rows.posts.at(-1)!.id;
    const fakeOf = await openFake();
    const ground = {
      wanted: { post_type: 'post', post_status: 'publish' },
      authors: [ada.id],
      zone: await services.content.zone(),
      today: new Date(),
      ...kinds,
    };
    const textsOf = (index: number): Texts => {
      const draws = drawsOf(seed, 'posts', index);
      const { title, content, excerpt } = draw({ index, draws, meta: {} }, fakeOf(draws), ground);
      return { title, content, excerpt };
    };
    return timed(posts, () => writeAll(bare, rows, textsOf));
  };
  return figureHere(engine, { ours, reference, least, closes: [bare.close, close] });
}

type Texts = Pick<Post, 'title' | 'content' | 'excerpt'>;

/** The reference has the same terms from the start. */
async function copyTerms({ db }: Store<ContentTables>, bare: BareRows) {
  const all = await db.selectFrom('terms').selectAll().orderBy('id').execute();
  await bare.run('delete from terms', []);
  for (const term of all) await bare.put('terms', term);
  const idsOf = (taxonomy: string) => all.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  return { categories: idsOf('category'), tags: idsOf('post_tag'), usual: all[0]!.id };
}

/** What a round has made, by record. */
async function rowsOf({ db }: Store<ContentTables>, after: number) {
  const made = await db.selectFrom('posts').selectAll().where('id', '>', after).orderBy('id').execute();
  const meta = await db.selectFrom('post_meta').selectAll().where('post_id', '>', after).execute();
  const terms = await db.selectFrom('post_terms').selectAll().where('post_id', '>', after).execute();
  return {
    posts: made,
    meta: Map.groupBy(meta, ({ post_id }) => post_id),
    terms: Map.groupBy(terms, ({ post_id }) => post_id),
  };
}

async function writeAll(
  bare: BareRows,
  { posts, meta, terms }: Awaited<ReturnType<typeof rowsOf>>,
  textsOf: (index: number) => Texts,
): Promise<void> {
  for (let from = 0; from < posts.length; from += atOnce)
    await bare.commit(async () => {
      for (const [at, row] of posts.slice(from, from + atOnce).entries()) {
        await bare.post({ ...row, ...textsOf(from + at) });
        for (const one of meta.get(row.id) ?? []) await bare.put('post_meta', one);
        for (const one of terms.get(row.id) ?? []) {
          await bare.run('update terms set count = count + 1 where id = $1', [one.term_id]);
          await bare.put('post_terms', one);
          await bare.count('posts.term', `${one.term_id}/${one.type}/${one.status}`, 1);
        }
      }
    });
}
