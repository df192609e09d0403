// Records as they are kept and as everybody else sees them.
import { keysOf } from '#lib/objects.ts';
import type { Instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { built } from '#store/statements.ts';
import { countAll, each, type More, moved, summed } from '../../platform/totals.ts';
import { type ContentTables, type PostsTable, totalTopics, type Writing } from '../tables.ts';
import { type Post, postColumns } from './post.ts';

type Db = Reads<Pick<ContentTables, 'posts'>>;

export const columns = keysOf(postColumns);

const readPosts = built((db: Db, ids) => db.selectFrom('posts').select(columns).where('id', 'in', ids));
const readVersions = built((db: Db, ids) => db.selectFrom('posts').select(['id', 'version']).where('id', 'in', ids));

export async function findPost(db: Db, id: number): Promise<Post | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  return (await readPosts(db, [id]))[0];
}

const possible = (ids: readonly number[]): number[] => [...new Set(ids)].filter(Number.isSafeInteger);

/** Those of them that there are, by number. */
export async function somePosts(db: Db, ids: readonly number[]): Promise<Map<number, Post>> {
  const some = possible(ids);
  if (some.length === 0) return new Map();
  const rows = await readPosts(db, some);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function someVersions(db: Db, ids: readonly number[]): Promise<Map<number, Pick<Post, 'id' | 'version'>>> {
  const some = possible(ids);
  if (some.length === 0) return new Map();
  const rows = await readVersions(db, some);
  return new Map(rows.map((row) => [row.id, row]));
}

// A record as a write finds it that has it to itself.

/** With the slug it had before it was put into the trash. */
export type Found = Post & Pick<PostsTable, 'slug_before'>;

/** The name under which writes of one record wait for each other. */
export const postLock = (id: number): string => `post ${id}`;

/** Nobody else changes it from now on, also of those who do not ask for its lock. */
export const findFound = (tx: Writing, id: number): Promise<Found | undefined> =>
  foundBy(tx, id).forNoKeyUpdate().executeTakeFirst();

/** Nor does anybody begin to show it. */
export const findGoing = (tx: Writing, id: number): Promise<Found | undefined> =>
  foundBy(tx, id).forUpdate().executeTakeFirst();

/** If it still lies in the trash, and did so at this moment. */
export const findTrashed = (tx: Writing, id: number, at: Instant): Promise<Found | undefined> =>
  foundBy(tx, id).where('status', '=', 'trash').where('trashed_at', '<=', at).forUpdate().executeTakeFirst();

const foundBy = (tx: Writing, id: number) =>
  tx
    .selectFrom('posts')
    .select([...columns, 'slug_before'])
    .where('id', '=', id);

// How many records there are of a type and status, and of whom.

/** Many that are new, each with what its terms count. */
export async function countNew(
  tx: Writing,
  all: readonly { readonly post: Counted; readonly terms: More }[],
): Promise<void> {
  await countAll(tx, [
    [totalTopics.terms, summed(all.map(({ terms }) => terms))],
    [totalTopics.authors, each(all.map(({ post }) => authorKey(post)))],
    [totalTopics.posts, each(all.map(({ post }) => typeKey(post)))],
  ]);
}

type Counted = Pick<Post, 'type' | 'status' | 'author'>;

/** As it was, if it was there, and as it is now. `terms`: what its terms count, not counted yet. */
export async function recount(
  tx: Writing,
  before: Counted | undefined,
  after: Counted | undefined,
  terms: More = {},
): Promise<void> {
  await countAll(tx, [
    [totalTopics.terms, terms],
    [totalTopics.authors, moved(before, after, authorKey)],
    [totalTopics.posts, moved(before, after, typeKey)],
  ]);
}

const typeKey = ({ type, status }: Counted): string => `${type}/${status}`;
const authorKey = (post: Counted): string => `${post.author}/${typeKey(post)}`;
