// Records as they are kept and as everybody else sees them.
import { built } from '#store/built.ts';
import type { Reads } from '#store/handles.ts';
import type { ContentTables, PostsTable } from '../tables.ts';
import type { Post } from './post.ts';

type Db = Reads<Pick<ContentTables, 'posts'>>;

/** Every column that is seen. */
export const columns = [
  'id',
  'type',
  'status',
  'author',
  'parent',
  'menu_order',
  'slug',
  'date',
  'date_gmt',
  'modified',
  'modified_gmt',
  'password',
  'comment_status',
  'ping_status',
  'template',
  'format',
  'sticky',
  'featured_media',
  'mime_type',
  'guid',
  'version',
  'status_before',
  'title',
  'excerpt',
  'content',
] as const satisfies readonly (keyof PostsTable & keyof Post)[];

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
