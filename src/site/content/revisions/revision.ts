import type { Selectable } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { Doing } from '../../identity/doing.ts';
import type { Post, PostInput } from '../posts/post.ts';
import type { ContentTables, RevisionsTable } from '../tables.ts';

export interface Revision extends Omit<Selectable<RevisionsTable>, 'meta'> {
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface WantedRevisions {
  readonly post: number;
  /** All, without one. */
  readonly limit?: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: 'date' | 'id' | 'include' | 'relevance' | 'slug' | 'include_slugs' | 'title';
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
}

export interface History {
  readonly count: number;
  /** 0 when there is none. */
  readonly last: number;
}

export interface Revisions {
  /** Of a record, an autosave or not. */
  find(id: number): Promise<Revision | undefined>;
  list(wanted: WantedRevisions): Promise<{ items: Revision[]; total: number }>;
  /** How many each of these records has, autosaves left out. */
  histories(posts: readonly number[]): Promise<Map<number, History>>;
  autosaves(post: number): Promise<Revision[]>;
  /** What somebody is writing and has not saved: in place of what they kept so before. */
  autosave(
    post: Post,
    said: PostInput,
    by: number,
    doing: Doing<Post> & { readonly unfiltered: boolean },
  ): Promise<Revision>;
}

/** Revisions as they are kept and as everybody else sees them. */
export type Db = Reads<ContentTables>;

export const columns = [
  'id',
  'post_id',
  'autosave',
  'author',
  'date',
  'date_gmt',
  'meta',
  'title',
  'excerpt',
  'content',
] as const satisfies readonly (keyof RevisionsTable)[];

export const asSeen = ({ meta, ...row }: Selectable<RevisionsTable>): Revision => ({ ...row, meta: JSON.parse(meta) });

export async function findRevision(db: Db, id: number): Promise<Revision | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const row = await db.selectFrom('revisions').select(columns).where('id', '=', id).executeTakeFirst();
  return row && asSeen(row);
}
