// The history of one record: sorted, searched, paged and counted.
import type { ExpressionBuilder } from 'kysely';
import { fold } from '#lib/fold.ts';
import { built } from '#store/statements.ts';
import { allPossible, givenOrder, pageAsGiven } from '../../platform/listing.ts';
import type { ContentTables } from '../tables.ts';
import { asSeen, columns, type Db, type History, type Revision, type WantedRevisions } from './revision.ts';

/** More than anybody looks through, where nobody says how many. */
const mostAtOnce = 1_000;

type Revisions = ExpressionBuilder<ContentTables, 'revisions'>;

export async function listRevisions(db: Db, wanted: WantedRevisions): Promise<{ items: Revision[]; total: number }> {
  const found = await foundBy(db, wanted);
  if (found?.length === 0) return { items: [], total: 0 };
  const matching = db.selectFrom('revisions').where(fitting(wanted, found));
  const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { limit = mostAtOnce, offset, orderBy, include } = wanted;
  const given = givenOrder({ orderBy, include });
  if (given !== undefined) {
    const there = await matching.select('id').execute();
    const page = pageAsGiven(there, given, { limit, offset });
    return {
      items: await byNumber(
        db,
        page.map(({ id }) => id),
      ),
      total,
    };
  }
  const by = sortedBy[wanted.orderBy] ?? 'id';
  const rows = await matching
    .select(columns)
    .orderBy(by, wanted.order)
    .orderBy('id', wanted.order)
    .limit(limit)
    .offset(offset)
    .execute();
  return { items: rows.map(asSeen), total };
}

/** All have the same slug; whoever asks for what fits best gets the newest. */
const sortedBy: Partial<Record<WantedRevisions['orderBy'], 'date_gmt' | 'title'>> = {
  date: 'date_gmt',
  relevance: 'date_gmt',
  title: 'title',
};

const fitting =
  ({ post, include = [], exclude = [] }: WantedRevisions, found: readonly number[] | undefined) =>
  (row: Revisions) =>
    row.and([
      row('post_id', '=', post),
      row('autosave', '=', 0),
      ...(include.length > 0 ? [row('id', 'in', allPossible(include))] : []),
      ...(exclude.length > 0 ? [row('id', 'not in', allPossible(exclude))] : []),
      ...(found === undefined ? [] : [row('id', 'in', [...found])]),
    ]);

/** In the order of the numbers. */
async function byNumber(db: Db, ids: readonly number[]): Promise<Revision[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('revisions').select(columns).where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, asSeen(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** So many texts are looked through at a time: they can be long. */
const batch = 20;

/** No index is kept of what nobody reads any more: the history of one record is looked through, its newest part where it is very long. */
async function foundBy(db: Db, { post, search = '' }: WantedRevisions): Promise<number[] | undefined> {
  const terms = fold(search).split(/\s+/).filter(Boolean);
  if (terms.length === 0) return undefined;
  const found: number[] = [];
  for (let looked = 0, last = Number.MAX_SAFE_INTEGER; looked < mostAtOnce; looked += batch) {
    const rows = await db
      .selectFrom('revisions')
      .select(['id', 'title', 'excerpt', 'content'])
      .where('post_id', '=', post)
      .where('autosave', '=', 0)
      .where('id', '<', last)
      .orderBy('id', 'desc')
      .limit(batch)
      .execute();
    for (const { id, title, excerpt, content } of rows) {
      const text = fold(`${title}\n${excerpt}\n${content}`);
      if (terms.every((term) => text.includes(term))) found.push(id);
    }
    if (rows.length < batch) break;
    last = rows.at(-1)!.id;
  }
  return found;
}

const readHistories = built((db: Db, posts) =>
  db
    .selectFrom('revisions')
    .select((row) => ['post_id', row.fn.countAll<number>().as('count'), row.fn.max('id').as('last')])
    .where('post_id', 'in', posts)
    .where('autosave', '=', 0)
    .groupBy('post_id'),
);

/** How many each of these records has, and which is the last. */
export async function historiesOf(db: Db, posts: readonly number[]): Promise<Map<number, History>> {
  if (posts.length === 0) return new Map();
  const rows = await readHistories(db, posts);
  const found = new Map<number, History>(rows.map(({ post_id, count, last }) => [post_id, { count, last }]));
  return new Map(posts.map((post) => [post, found.get(post) ?? { count: 0, last: 0 }]));
}
