// What records are found by, and all of them made findable at once.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { AnyTables } from '#store/any.ts';
import { indexNew, unindex } from '#store/search.ts';
import { markOf } from '#store/sought.ts';
import { indexNewWords } from '#store/words.ts';

export const postsSearch = {
  table: 'posts_search',
  id: 'posts.id',
  columns: { title: 'posts.title', excerpt: 'posts.excerpt', content: 'posts.content' },
} as const;

/** The words of all three. */
export const postsWords = 'posts_words';

/** What both tables keep besides: of what type and in what status a record is, and whether a password closes it. */
export const searchMarks = ['kind'] as const;

export const kindMark = (type: string, status: string): string => markOf(`${type}/${status}`);
export const closedMark = (type: string, status: string): string => markOf(`${type}/${status}/closed`);

interface Found {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly password: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
}

/** A record as the search keeps it. */
export const searchRow = ({ id, type, status, password, title, excerpt, content }: Found) => ({
  rowid: id,
  title: fold(title),
  excerpt: fold(excerpt),
  content: fold(content),
  kind: password === '' ? kindMark(type, status) : closedMark(type, status),
});

type SearchRow = ReturnType<typeof searchRow>;

const worded = ({ rowid, kind, title, excerpt, content }: SearchRow) => ({
  rowid,
  mark: { kind },
  texts: [title, excerpt, content],
});

/** Has records found that never were before. */
export async function findable(tx: Transaction<AnyTables>, rows: readonly SearchRow[]): Promise<void> {
  await Promise.all([indexNew(tx, postsSearch, rows), indexNewWords(tx, postsWords, rows.map(worded))]);
}

/** Has a record found by what it says now. */
export async function foundAnew(tx: Transaction<AnyTables>, row: SearchRow): Promise<void> {
  await unfindable(tx, row.rowid);
  await findable(tx, [row]);
}

export async function unfindable(tx: Transaction<AnyTables>, id: number): Promise<void> {
  await Promise.all([unindex(tx, postsSearch, id), tx.deleteFrom(postsWords).where('rowid', '=', id).execute()]);
}

const atOnce = 100;

/** Fills these tables when nothing is in them. */
export async function indexAllPosts(tx: Transaction<AnyTables>): Promise<void> {
  for (let last = 0; ; ) {
    const posts = tx
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'password', 'title', 'excerpt', 'content'])
      .where('id', '>', last);
    const rows = (await posts.orderBy('id').limit(atOnce).execute()) as Found[];
    await findable(tx, rows.map(searchRow));
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}
