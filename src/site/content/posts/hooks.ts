// What other nouns do in the write of a post: terms, revisions and comments follow it, and its URL is built from its own row.
import type { More } from '../../platform/totals.ts';
import type { Writing } from '../tables.ts';
import type { Post } from './post.ts';

/** A record, and what it is to carry, by taxonomy. */
export interface Carrying {
  readonly post: Pick<Post, 'id' | 'type' | 'status' | 'date'>;
  readonly terms: Readonly<Record<string, readonly number[]>>;
}

export interface TermHooks {
  /** These, of a record that is new. Answers what is to be counted of them, where the record is counted. */
  given(tx: Writing, post: Post, terms: Readonly<Record<string, readonly number[]>>): Promise<More>;
  /** The same of many that are made together. */
  givenMany(tx: Writing, all: readonly Carrying[]): Promise<More[]>;
  /** These and no others, of each taxonomy that is named; numbers that name nothing are left out. Answers whether anything changed. */
  assign(tx: Writing, post: Post, terms: Readonly<Record<string, readonly number[]>>): Promise<boolean>;
  /** Its type, status or date changed: the lists and counts of its terms follow. */
  moved(tx: Writing, before: Post, after: Post): Promise<void>;
  released(tx: Writing, post: Post): Promise<void>;
  /** The category of a post without one; made when it is not there. */
  defaultCategory(): Promise<number>;
}

interface RevisionChange {
  readonly isMetaChanged?: boolean;
  /** Whether what its writer has not saved stays. */
  readonly keepsAutosave?: boolean;
}

export interface RevisionHooks {
  /**
   * A snapshot of what it is now, when title, content, excerpt or revisioned meta changed; what its writer had not saved until then
   * goes.
   */
  changed(tx: Writing, before: Post, after: Post, by: number, change?: RevisionChange): Promise<void>;
  released(tx: Writing, post: Post): Promise<void>;
}

export interface CommentHooks {
  /** They go into the trash with it, and remember what they were. */
  trashed(tx: Writing, post: Post): Promise<void>;
  restored(tx: Writing, post: Post): Promise<void>;
  released(tx: Writing, post: Post): Promise<void>;
}

/** The columns that a URL is built from. */
export type LinkedPost = Pick<Post, 'id' | 'type' | 'status' | 'slug' | 'date' | 'parent'>;

export interface PostLinks {
  /** Of each record, by number: those that lie below others need to know them, so all are asked for at once. */
  of(posts: readonly LinkedPost[]): Promise<Map<number, string>>;
  /** Whether URLs contain the number of a record, which it has once it is kept. */
  readonly areNumbered: boolean;
}
