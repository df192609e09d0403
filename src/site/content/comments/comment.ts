import type { Selectable } from 'kysely';
import type { Doing } from '../../identity/doing.ts';
import type { Post } from '../posts/post.ts';
import type { CommentsTable, Writing } from '../tables.ts';

export interface Comment extends Omit<Selectable<CommentsTable>, 'email_key' | 'trashed_at'> {}

export interface CommentSaid {
  readonly post?: number;
  readonly parent?: number;
  readonly content?: string;
  readonly author?: number;
  readonly author_name?: string;
  readonly author_email?: string;
  readonly author_url?: string;
  readonly author_ip?: string;
  readonly author_user_agent?: string;
  readonly date?: string;
  readonly date_gmt?: string;
  readonly status?: string;
  readonly type?: string;
}

export interface WantedComments {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: 'date_gmt' | 'date' | 'id' | 'include' | 'post' | 'parent' | 'type';
  readonly statuses: readonly string[];
  readonly type?: string;
  readonly search?: string;
  readonly after?: string;
  readonly before?: string;
  readonly authors?: readonly number[];
  readonly notAuthors?: readonly number[];
  readonly email?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly parents?: readonly number[];
  readonly notParents?: readonly number[];
  readonly posts?: readonly number[];
}

export interface Commenting extends Doing<Comment> {
  readonly unfiltered: boolean;
  /** Approved at once, and neither counted as a flood nor judged by its words. */
  readonly trusted: boolean;
}

export interface Comments {
  find(id: number): Promise<Comment | undefined>;
  /** Throws `rest_comment_invalid_id`. */
  get(id: number): Promise<Comment>;
  list(wanted: WantedComments): Promise<{ items: Comment[]; total: number }>;
  /** Of these comments, which have answers. */
  answered(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Throws `comment_duplicate`, `comment_flood` and what is wrong with it. */
  add(
    said: CommentSaid & { readonly post: number; readonly content: string },
    commenting: Commenting,
  ): Promise<Comment>;
  change(comment: Comment, said: CommentSaid, commenting: Commenting): Promise<Comment>;
  trash(comment: Comment, doing: Doing<Comment>): Promise<Comment>;
  erase(comment: Comment, doing: Doing<Comment>): Promise<Comment>;
}

/** What belongs to the comments of a record, done in the write of the record. */
export interface CommentsAlong {
  /** They go into the trash with it, and remember what they were. */
  trashed(tx: Writing, post: Post): Promise<void>;
  restored(tx: Writing, post: Post): Promise<void>;
  released(tx: Writing, post: Post): Promise<void>;
}
