import type { Selectable } from 'kysely';
import type { Doing } from '../../identity/doing.ts';
import type { Post, Said } from '../posts/post.ts';
import type { RevisionsTable } from '../tables.ts';

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
    said: Said,
    by: number,
    doing: Doing<Post> & { readonly unfiltered: boolean },
  ): Promise<Revision>;
}
