// The marks by which test data is found again: every record that is made carries all three, and lists and counts go by them.

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ContentTables } from '#site/content/tables.ts';
import { testDataMark } from '#site/content/test-data-mark.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';

/** Whether something is test data. */
export const mark = testDataMark;
/** Of which run: the seed it was made by. */
export const runMark = `${mark}_run`;

/**
 * How it was when it was made: what is not so any more, somebody has changed. For records that is when they were last changed, which
 * each change makes another moment; for all else what it says.
 */
export const madeMark = `${mark}_made`;

export const marksOf = (run: string): Readonly<Record<string, unknown>> => ({ [mark]: 1, [runMark]: run });

const brief = (said: readonly unknown[]): string => hash('sha256', JSON.stringify(said), 'base64url');

type Said<Keys extends string> = Readonly<Record<Keys, unknown>>;

export const madeOf = {
  posts: ({ modified_gmt }: Said<'modified_gmt'>) => `${modified_gmt}`,
  terms: ({ name, slug, description }: Said<'name' | 'slug' | 'description'>) => brief([name, slug, description]),
  comments: ({
    content,
    author_name,
    author_email,
    author_url,
  }: Said<'content' | 'author_name' | 'author_email' | 'author_url'>) =>
    brief([content, author_name, author_email, author_url]),
  users: ({
    email,
    name,
    first_name,
    last_name,
    url,
    description,
    roles,
  }: Said<'email' | 'name' | 'first_name' | 'last_name' | 'url' | 'description' | 'roles'>) =>
    brief([email, name, first_name, last_name, url, description, roles]),
} as const;

type Db = Reads<ContentTables & IdentityTables>;

/** In the order in which they are taken away: users come last, when what was made in their name is gone. Pictures are among the posts. */
export const kinds = ['comments', 'posts', 'terms', 'users'] as const;
export type Kind = (typeof kinds)[number];

/** Where that stands, and beside what. */
const places = {
  comments: ['comment_meta', 'comment_id'],
  posts: ['post_meta', 'post_id'],
  terms: ['term_meta', 'term_id'],
  users: ['user_meta', 'user_id'],
} as const satisfies Record<Kind, readonly [table: string, id: string]>;

/** All of it, or what one run made. What came in a file of another site carries the mark as text: that is none. */
function isMarked([table, column]: (typeof places)[Kind], run: string | undefined) {
  const own = sql`key = ${mark} and value = '1'`;
  if (run === undefined) return own;
  return sql`key = ${runMark} and value = ${JSON.stringify(run)}
    and ${sql.ref(column)} in (select ${sql.ref(column)} from ${sql.table(table)} where ${own})`;
}

/** The next numbers. */
export async function markedAfter(db: Db, kind: Kind, after: number, limit: number, run?: string): Promise<number[]> {
  const place = places[kind];
  const [table, column] = place;
  const id = sql.ref(column);
  const rows = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(table)}
    where ${isMarked(place, run)} and ${id} > ${after} order by ${id} limit ${limit}`.execute(db);
  return rows.rows.map((row) => row.id);
}

export async function countMarked(db: Db, kind: Kind, run?: string): Promise<number> {
  const place = places[kind];
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from ${sql.table(place[0])} where ${isMarked(place, run)}`.execute(db);
  return Number(rows[0]?.many ?? 0);
}

/** Whether it was so when it was made. */
export async function isAsMade(db: Db, kind: Kind, id: number, made: string): Promise<boolean> {
  const [table, column] = places[kind];
  const { rows } = await sql`
    select key from ${sql.table(table)}
    where ${sql.ref(column)} = ${id} and key = ${madeMark} and value = ${JSON.stringify(made)}`.execute(db);
  return rows.length > 0;
}
