// What was said about a record, as its pages show it: each answer below what it answers, the oldest first. Whatever is approved
// stands on one of them.
import { sql } from 'kysely';
import { urlBelow } from '#lib/addresses.ts';
import type { Reads } from '#store/handles.ts';
import { type TotalsTables, totalOf } from '../../platform/totals.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import type { Comment } from './comment.ts';
import { columns } from './rows.ts';

export interface Talk {
  /** Of one page, in the order they are read: what one answers stands before it, or on another page. */
  readonly items: readonly Comment[];
  /** In all, and the pages they fill. */
  readonly total: number;
  readonly pages: number;
}

export interface Threads {
  page(post: number, page: number): Promise<Talk>;
  /** What pages elsewhere told of themselves: so many, the newest first. They are no talk, and stand on no page of it. */
  mentions(post: number, most: number): Promise<Comment[]>;
  /** Where each of these is read, by number: below the address of its record. What is not shown is on no page, and leads to the first. */
  links(comments: readonly Comment[], addresses: ReadonlyMap<number, string>): Promise<Map<number, string>>;
}

/** So many that answer nothing are on a page, and so many in all. More about one record are not arranged, but follow each other by time. */
const most = { first: 50, onPage: 500, arranged: 2_000 };

export const commentsPage = (address: string, page: number): string =>
  page === 1 ? address : urlBelow(address, `comment-page-${page}/`);

type Db = Reads<ContentTables & TotalsTables>;

interface Row {
  readonly id: number;
  readonly parent: number;
}

const approved = (db: Db, post: number, types: readonly string[] = ['comment']) =>
  db.selectFrom('comments').where('post_id', '=', post).where('status', '=', 'approved').where('type', 'in', types);

export function createThreads(db: Db): Threads {
  /** The numbers of each page; nothing where they are too many to be arranged. */
  const arranged = async (post: number): Promise<number[][] | undefined> => {
    const all = approved(db, post).select(['id', 'parent']).orderBy('date_gmt').orderBy('id');
    const rows = await all.limit(most.arranged + 1).execute();
    return rows.length > most.arranged ? undefined : pagesOf(rows);
  };

  const byTime = async (post: number, page: number): Promise<Talk> => {
    const all = approved(db, post).select(columns).orderBy('date_gmt').orderBy('id');
    const [items, total] = await Promise.all([
      all
        .limit(most.first)
        .offset((page - 1) * most.first)
        .execute(),
      totalOf(db, totalTopics.commentsOf, `${post}/comment/approved`),
    ]);
    return { items, total, pages: Math.ceil(total / most.first) };
  };

  const some = async (ids: readonly number[]): Promise<Comment[]> => {
    if (ids.length === 0) return [];
    const rows = await db.selectFrom('comments').select(columns).where('id', 'in', ids).execute();
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };

  const before = async ({ post_id, date_gmt, id }: Comment): Promise<number> => {
    const earlier = approved(db, post_id).where(sql<boolean>`(date_gmt, id) < (${date_gmt}, ${id})`);
    const { many } = await earlier.select((row) => row.fn.countAll<number>().as('many')).executeTakeFirstOrThrow();
    return Number(many);
  };

  return {
    async page(post, page) {
      const pages = await arranged(post);
      if (pages === undefined) return byTime(post, page);
      const total = pages.reduce((sum, ids) => sum + ids.length, 0);
      return { items: await some(pages[page - 1] ?? []), total, pages: pages.length };
    },

    mentions: (post, many) =>
      approved(db, post, ['pingback', 'trackback'])
        .select(columns)
        .orderBy('date_gmt', 'desc')
        .orderBy('id', 'desc')
        .limit(many)
        .execute(),

    async links(comments, addresses) {
      const shown = comments.filter(({ status, type }) => status === 'approved' && type === 'comment');
      const posts = [...new Set(shown.map(({ post_id }) => post_id))];
      const known = new Map(await Promise.all(posts.map(async (post) => [post, await arranged(post)] as const)));
      const numbers = new Map<number, number>();
      for (const one of shown) {
        const pages = known.get(one.post_id);
        const at = pages === undefined ? Math.floor((await before(one)) / most.first) : indexIn(pages, one.id);
        numbers.set(one.id, at + 1);
      }
      return new Map(
        comments.flatMap(({ id, post_id }) => {
          const address = addresses.get(post_id);
          return address === undefined ? [] : [[id, `${commentsPage(address, numbers.get(id) ?? 1)}#comment-${id}`]];
        }),
      );
    },
  };
}

/** What was approved since they were arranged leads to the first. */
const indexIn = (pages: readonly (readonly number[])[], id: number): number =>
  Math.max(
    0,
    pages.findIndex((ids) => ids.includes(id)),
  );

/** A page ends before what answers nothing, where it can. */
function pagesOf(rows: readonly Row[]): number[][] {
  const pages: number[][] = [];
  let first = most.first;
  for (const { id, isFirst } of inThreads(rows)) {
    if ((isFirst && first === most.first) || pages.at(-1)!.length === most.onPage) {
      pages.push([]);
      first = 0;
    }
    pages.at(-1)!.push(id);
    if (isFirst) first++;
  }
  return pages;
}

/** What answers something that nobody sees begins a thread; where all of some answer each other, the oldest of them does. */
function inThreads(rows: readonly Row[]): { readonly id: number; readonly isFirst: boolean }[] {
  const shown = new Set(rows.map(({ id }) => id));
  const answers = Map.groupBy(rows, ({ parent }) => parent);
  const told = new Set<number>();
  const order: { id: number; isFirst: boolean }[] = [];
  const tell = (first: Row): void => {
    const open = [first];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (told.has(at.id)) continue;
      told.add(at.id);
      order.push({ id: at.id, isFirst: at === first });
      open.push(...(answers.get(at.id) ?? []).toReversed());
    }
  };
  for (const row of rows) if (!shown.has(row.parent)) tell(row);
  for (const row of rows) if (!told.has(row.id)) tell(row);
  return order;
}
