// Moving in from an export file against a bare script that writes the same rows, as many at a commit, on both engines.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Post } from '#site/content/posts/post.ts';
import { type LeasedStore, withImportLease } from '#site/transfer/import/import-lease.ts';
import type { ArrivedTable, MovingStore } from '#site/transfer/import/tables.ts';
import { arriveFrom } from '#site/transfer/import/wxr/arrive.ts';
import { openStore, type Store } from '#store/store.ts';
import { exportOf, item } from '#test/wxr.ts';
import { openSite } from '../src/boot/open-site.ts';
import { tableOwners } from '../src/boot/tables.ts';
import { readConfig } from '../src/config.ts';
import { type BareRows, bareRows } from './bare-rows.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import { figureHere, timed } from './here.ts';
import { memoryOfMoving } from './import-memory.ts';
import type { Round } from './measure.ts';
import type { Figure, Section } from './report.ts';

const least = 0.3;
const posts = 1_000;
const atOnce = 200;

export const measureImport = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Moving in',
    about: `An export file of ${posts} posts of 150 words is moved in. The reference is a bare script that has the same rows already and
writes them into the same tables, ${atOnce} posts a commit, by \`node:sqlite\` (WAL, \`synchronous=FULL\`) or \`pg\`: posts, search, words, where
they came from, totals. Ours reads the file, looks whether each is here, who wrote it, for a free slug and a free number, and looks
through every text once more when all are here. Memory is looked at on the way through a larger file, where garbage is collected twenty
times.`,
    figures: [
      ...(await figureOf('SQLite', folder)),
      ...(await onPostgres(2, (databases) => figureOf('PostgreSQL', folder, databases))),
      ...(await memoryOfMoving(folder)),
    ],
  }));

const silent = { info() {}, warn() {}, error() {} };
const words = 'river boat water morning letter garden window quiet stone paper summer road'.split(' ');

const textOf = (seed: number): string =>
  Array.from(
    { length: 150 },
    (_, n) => words[(seed * 7 + n * n) % words.length]! + (n % 9 === 0 ? seed % 977 : ''),
  ).join(' ');

const fileOf = (round: number): string =>
  exportOf(
    ...Array.from({ length: posts }, (_, n) => {
      const id = round * posts + n + 1;
      return item({
        title: `Post number ${id}`,
        guid: `https://old.example/?p=${id}`,
        'wp:post_id': id,
        'wp:post_name': `post-number-${id}`,
        'wp:post_date': new Date(1.3e12 + id * 3.6e6).toISOString(),
        'content:encoded': `<p>${textOf(id)}</p>`,
      });
    }),
  );

async function figureOf(engine: string, folder: string, [own, other]: readonly string[] = []): Promise<Figure[]> {
  const place = (name: string, database: string | undefined) => ({
    data: join(folder, `${engine}-${name}`),
    ...(database !== undefined && { database }),
  });
  const env = { GATEHOUSE_SECRET: 'a secret that only this bench knows of', GATEHOUSE_LOG: 'error' };
  const config = readConfig({ flags: place('ours', own), env });
  const { services, close } = await openSite(config, silent);
  const bareStore = await openStore({ ...place('bare', other), tables: tableOwners(), log: silent });
  await bareStore.close();
  const bare = await bareRows(other ?? { file: join(folder, `${engine}-bare`, 'gatehouse.db') });
  const write = writingTo(bare);
  const { users } = services.identity;
  await users.add({ login: 'ada', email: 'ada@mail.example', roles: ['administrator'] });
  let [round, copied] = [0, 0];
  const path = join(folder, 'export.xml');
  const ours = async (): Promise<Round> => {
    writeFileSync(path, fileOf(round++));
    const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false };
    const file = async () => undefined;
    const arrive = (store: LeasedStore) =>
      arriveFrom(path, { ...services, store, url: config.url }, { ...how, file }, { reading() {}, settling() {} });
    return timed(posts, () => withImportLease(services, { holder: 'the bench', what: 'The bench' }, arrive));
  };
  const reference = async (): Promise<Round> => {
    const rows = await rowsOf(services.store as unknown as Store<MovingStore>, copied);
    copied += posts;
    return timed(posts, () => write(rows));
  };
  return figureHere(engine, { ours, reference, least, closes: [bare.close, close] });
}

interface Rows {
  readonly posts: readonly Post[];
  readonly arrived: ReadonlyMap<number, ArrivedTable>;
}

async function rowsOf({ db }: Store<MovingStore>, after: number): Promise<Rows> {
  const within = (id: number): boolean => id > after && id <= after + posts;
  const made = await db
    .selectFrom('posts')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', after + posts)
    .execute();
  const came = await db.selectFrom('arrived').selectAll().execute();
  return {
    posts: made,
    arrived: new Map(came.filter(({ post_id }) => within(post_id)).map((row) => [row.post_id, row])),
  };
}

type Write = (rows: Rows) => Promise<void>;

/** So many at a commit. */
const writingTo =
  (bare: BareRows): Write =>
  async ({ posts, arrived }) => {
    for (let at = 0; at < posts.length; at += atOnce)
      await bare.commit(async () => {
        for (const post of posts.slice(at, at + atOnce)) {
          await bare.post(post);
          const came = arrived.get(post.id);
          if (came !== undefined) await bare.put('arrived', came);
        }
      });
  };
