// What records are found by, and all of them made findable at once.
import type { Transaction } from 'kysely';
import { fold } from '#lib/fold.ts';
import type { AnyTables } from '#store/handles.ts';
import { indexNew, unindex } from '#store/search.ts';
import { markOf } from '#store/sought.ts';
import { indexNewWords, indexNumbered, type Numbered, numberWords } from '#store/words.ts';
import type { Writing } from '../tables.ts';
import type { Post } from './post.ts';

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

interface Told {
  readonly type: string;
  readonly status: string;
  readonly password: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
}

interface Found extends Told {
  readonly id: number;
}

/** What the search keeps of a record, which may have no number yet. */
const searchTexts = ({ type, status, password, title, excerpt, content }: Told) => ({
  title: fold(title),
  excerpt: fold(excerpt),
  content: fold(content),
  kind: password === '' ? kindMark(type, status) : closedMark(type, status),
});

/** A record as the search keeps it. */
export const searchRow = (post: Found) => ({ rowid: post.id, ...searchTexts(post) });

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

/** What a record is found by once it is there: its words have their numbers already. */
export interface Findable {
  readonly texts: ReturnType<typeof searchTexts>;
  readonly numbers: Numbered;
}

/** For many records that are about to be made in this write. */
export async function soonFindable(tx: Transaction<AnyTables>, posts: readonly Told[]): Promise<Findable[]> {
  const all = posts.map(searchTexts);
  const numbered = await numberWords(
    tx,
    postsWords,
    all.map(({ title, excerpt, content }) => [title, excerpt, content]),
  );
  return all.map((texts, at) => ({ texts, numbers: numbered[at] }));
}

/** Has them found, by the numbers they have got. */
export async function nowFindable(
  tx: Transaction<AnyTables>,
  made: readonly (Findable & { readonly id: number })[],
): Promise<void> {
  const rows = made.map(({ id, texts }) => ({ rowid: id, ...texts }));
  const words = made.map(({ id, texts: { kind }, numbers }) => ({ rowid: id, mark: { kind }, numbers }));
  await Promise.all([indexNew(tx, postsSearch, rows), indexNumbered(tx, postsWords, words)]);
}

/** Has a record found by what it says now. */
async function foundAnew(tx: Transaction<AnyTables>, row: SearchRow): Promise<void> {
  await unfindable(tx, row.rowid);
  await findable(tx, [row]);
}

async function unfindable(tx: Transaction<AnyTables>, id: number): Promise<void> {
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

type Sought = Pick<Post, 'type' | 'status' | 'password' | 'title' | 'excerpt' | 'content'>;

/** An index takes no longer ones. */
const sorted = 200;

export const titleKey = (title: string): string => fold(title.slice(0, sorted)).slice(0, sorted);

export const indexNewPost = (tx: Writing, post: Post): Promise<void> => findable(tx, [searchRow(post)]);

const sought = ['type', 'status', 'password', 'title', 'excerpt', 'content'] as const;

export async function indexPost(tx: Writing, before: Sought, post: Post): Promise<void> {
  if (sought.every((field) => before[field] === post[field])) return;
  await foundAnew(tx, searchRow(post));
}

export const unindexPost = (tx: Writing, id: number): Promise<void> => unfindable(tx, id);
