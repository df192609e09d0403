// What people say about a record, as it is kept and as everybody else sees it; and what can be done with it.
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { Problem } from '#kernel/problem.ts';
import type { Moment } from '#lib/wall-time.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Doing } from '../../identity/doing.ts';
import type { MetaValues } from '../meta.ts';
import type { Post } from '../posts/post.ts';
import type { CommentsTable } from '../tables.ts';
import type { Noted, NoteStatus } from './notes.ts';

export interface Comment extends Omit<Selectable<CommentsTable>, 'email_key' | 'trashed_at'> {}

/** What a request says of one. What it leaves out stays, or is what is known of who speaks. */
export interface CommentSaid extends Noted {
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
  /** A status, or what shall be done: `approve`, `untrash` … What is none of them says nothing. */
  readonly status?: string;
  readonly type?: string;
}

/** One of many that the program makes together: by somebody without an account, answering nobody. */
export interface OneOfMany
  extends Pick<Comment, 'author_name' | 'author_email' | 'author_url' | 'author_ip' | 'author_user_agent' | 'content'> {
  readonly post: number;
  readonly moment: Moment;
  readonly status: 'approved' | 'hold' | 'spam' | 'trash';
  readonly meta: MetaValues;
}

type CommentOrder = 'date_gmt' | 'date' | 'id' | 'include' | 'post' | 'parent' | 'type';

export interface WantedComments {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: CommentOrder;
  readonly statuses: readonly string[];
  readonly type?: string;
  readonly search?: string;
  /** Whether email and client addresses are searched as well. */
  readonly searchAddresses?: boolean;
  /** By the clock of the world; exclusive. */
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
  /** Not what is said about these records. */
  readonly notPosts?: RawBuilder<number> | undefined;
  /** A further condition on rows of `comments`. */
  readonly also?: RawBuilder<SqlBool> | undefined;
}

interface Written {
  /** Whether what they write is kept byte for byte. */
  readonly unfiltered: boolean;
  /** Whether they look after the comments of the site: then they may speak for others, and are not judged. */
  readonly trusted: boolean;
}

/** `again` is asked about the record that is spoken about. */
export interface Speaking extends Doing<Post>, Written {
  /** 0 for somebody without an account. */
  readonly speaker: number;
  readonly address: string;
  readonly agent: string;
}

export interface Recommenting extends Doing<Comment>, Written {}

export interface CommentList {
  readonly items: Comment[];
  readonly total: number;
}

export interface Comments {
  find(id: number): Promise<Comment | undefined>;
  /** Throws `rest_comment_invalid_id`. */
  get(id: number): Promise<Comment>;
  list(wanted: WantedComments): Promise<CommentList>;
  /** Of these comments, those that have answers everybody may see. */
  answered(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** What the notes among these say of the question they are about, by number. */
  noteStatuses(comments: readonly Comment[]): Promise<ReadonlyMap<number, NoteStatus>>;
  /** Whether people without an account may speak. */
  isOpenToAll(): Promise<boolean>;
  /** Why nobody may speak about this record now; nothing, where people may. */
  refusalOn(post: Post): Promise<Problem | undefined>;
  /** Throws `comment_duplicate`, `comment_flood` and what else is wrong with it. */
  add(said: CommentSaid & { readonly post: number }, speaking: Speaking): Promise<Comment>;
  /** In one write, and quietly; nothing for one about a record that is not there. */
  addMany(all: readonly OneOfMany[], doing: Doing<Comment>): Promise<(Comment | undefined)[]>;
  change(comment: Comment, said: CommentSaid, recommenting: Recommenting): Promise<Comment>;
  /** Throws `rest_already_trashed`. */
  trash(comment: Comment, doing: Doing<Comment>): Promise<Comment>;
  /** For good. What answers it answers what it answered. */
  erase(comment: Comment, doing: Doing<Comment>): Promise<Comment>;
}

// In what state a comment is, and what people call that.

/** Those that there are. */
export const allStatuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;

const names: Readonly<Record<string, string>> = {
  approve: 'approved',
  approved: 'approved',
  '1': 'approved',
  hold: 'hold',
  '0': 'hold',
  spam: 'spam',
  trash: 'trash',
};

/** Nothing, where it is the name of none. */
export const namedStatus = (said: string | undefined): string | undefined =>
  said !== undefined && Object.hasOwn(names, said) ? names[said] : undefined;

/** Nothing for `all`, which is no type but every one. */
export const listedType = (said: string): string | undefined => (said === 'all' ? undefined : said);

/** What a list is asked for: those that are shown or will be, for `all`. */
export const listedStatuses = (said: string): readonly string[] => {
  if (said === 'all') return ['approved', 'hold'];
  const named = said === 'post-trashed' ? said : namedStatus(said);
  return named === undefined ? [] : [named];
};

interface State {
  readonly status: string;
  readonly status_before: string | null;
  readonly trashed_at: Instant | null;
}

const undone: Readonly<Record<string, string>> = { untrash: 'trash', unspam: 'spam' };

/** What it is once this was said; nothing where that changes nothing. */
export function stateAfter(comment: Comment, said: string | undefined, now: Date): State | undefined {
  const { status, status_before: before } = comment;
  const back = said !== undefined && undone[said] === status ? (before ?? 'hold') : undefined;
  const wanted = back ?? namedStatus(said);
  if (wanted === undefined || wanted === status) return undefined;
  if (wanted !== 'trash' && wanted !== 'spam') return { status: wanted, status_before: null, trashed_at: null };
  // What comes back to where it was put aside before comes from there as from nowhere: undone once more, it waits.
  const status_before = back === undefined ? status : null;
  return { status: wanted, status_before, trashed_at: wanted === 'trash' ? instant(now) : null };
}
