// Everything that is kept of content: one table of records of every type, what sorts them, what is said about them.

import type { Generated, Transaction } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { membersTopic } from '../platform/cache/records.ts';
import type { TotalsTables } from '../platform/totals.ts';

/** A wall clock's time as the interface prints it, `2026-11-20T12:00:00`: it sorts as text. */
type WallTime = string;

export interface PostsTable {
  id: Generated<number>;
  type: string;
  status: string;
  author: number;
  parent: number;
  menu_order: number;
  slug: string;
  /** As its author saw it: it stays where it is when the site moves to another time zone. */
  date: WallTime;
  /** Nothing while it floats: then `date` is that of the last change. */
  date_gmt: WallTime | null;
  modified: WallTime;
  modified_gmt: WallTime;
  password: string;
  comment_status: string;
  ping_status: string;
  template: string;
  /** Empty for the standard one. */
  format: string;
  sticky: Flag;
  featured_media: number;
  /** Of files. */
  mime_type: string;
  guid: string;
  /** How often what its record shows has changed: whoever remembers a record asks for this. */
  version: number;
  /** Before it was put into the trash. */
  status_before: string | null;
  slug_before: string | null;
  trashed_at: Instant | null;
  /** The title as it is sorted: without capitals and accents. */
  title_key: string;
  title: string;
  excerpt: string;
  content: string;
}

interface PostMetaTable {
  post_id: number;
  key: string;
  value: JsonText;
}

interface TermMetaTable {
  term_id: number;
  key: string;
  value: JsonText;
}

interface CommentMetaTable {
  comment_id: number;
  key: string;
  value: JsonText;
}

/** Under which a record was found before. */
interface OldSlugsTable {
  slug: string;
  post_id: number;
}

export interface MediaTable {
  post_id: number;
  /** Below the uploads, as the interface shows it. */
  file: string;
  /** The file as it came, where `file` is a smaller one made from it. */
  original: string | null;
  size: number;
  width: number | null;
  height: number | null;
  alt_text: string;
  /** Sub-sizes, what the camera said, how long it plays. */
  details: JsonText;
  /** Sub-sizes that are still to be made. */
  unfinished: Flag;
}

export interface TermsTable {
  id: Generated<number>;
  taxonomy: string;
  slug: string;
  /** HTML. */
  name: string;
  name_key: string;
  description: string;
  parent: number;
  /** Published records that carry it. */
  count: number;
}

/** With what lists of a term are sorted by, so that a page of one is read in order. */
interface PostTermsTable {
  term_id: number;
  post_id: number;
  taxonomy: string;
  type: string;
  status: string;
  date: WallTime;
}

export interface RevisionsTable {
  id: Generated<number>;
  post_id: number;
  /** Whether it is what somebody is writing and has not saved: one for each of them. */
  autosave: Flag;
  author: number;
  date: WallTime;
  date_gmt: WallTime;
  meta: JsonText;
  title: string;
  excerpt: string;
  content: string;
}

export interface CommentsTable {
  id: Generated<number>;
  post_id: number;
  parent: number;
  /** 0 for somebody without an account. */
  user_id: number;
  author_name: string;
  author_email: string;
  /** As it is compared; empty where there is none. */
  email_key: string;
  author_url: string;
  author_ip: string;
  author_user_agent: string;
  date: WallTime;
  date_gmt: WallTime;
  type: string;
  /** `approved`, `hold`, `spam`, `trash`, `post-trashed`. */
  status: string;
  status_before: string | null;
  trashed_at: Instant | null;
  content: string;
}

/** What records are found by; folded. */
interface PostsSearchTable {
  rowid: number;
  title: string;
  excerpt: string;
  content: string;
  /** The mark of its type and status. */
  kind: string;
}

/** The numbers of the words of records. */
interface PostsWordsTable {
  rowid: number;
  kind: string;
  words: string;
}

/** What comments are found by; folded. */
interface CommentsSearchTable {
  rowid: number;
  content: string;
  name: string;
  url: string;
  email: string;
  ip: string;
}

interface MediaPathsTable {
  path: string;
  /** Nothing while the record is still being made. */
  post_id: number | null;
  taken_at: Instant;
  /** Who makes it, where whoever goes on with the same work may take it over: what the work is, then who does it. */
  claim: string | null;
}

export interface ContentTables {
  media_paths: MediaPathsTable;
  /** Media items whose files are being replaced just now. */
  media_locks: { post_id: number; token: string; until: Instant };
  /** Paths at which a file of a media item was, and where it is now. */
  media_redirects: { path: string; target: string; post_id: number };
  posts: PostsTable;
  posts_search: PostsSearchTable;
  posts_words: PostsWordsTable;
  post_meta: PostMetaTable;
  old_slugs: OldSlugsTable;
  media: MediaTable;
  terms: TermsTable;
  term_meta: TermMetaTable;
  post_terms: PostTermsTable;
  revisions: RevisionsTable;
  comments: CommentsTable;
  comment_meta: CommentMetaTable;
  comments_search: CommentsSearchTable;
}

/** How a write of content sees the store. */
export type Writing = Transaction<ContentTables & TotalsTables & IdentityTables>;

/**
 * What is counted as it comes and goes (`totals.ts`), by topic and key: records by `type/status`, those of an author by
 * `author/type/status`, those of a term by `term/type/status`, terms by `taxonomy`, comments by `type/status`, those of a
 * record by `post/type/status`.
 */
export const totalTopics = {
  posts: 'posts',
  authors: 'posts.author',
  terms: 'posts.term',
  taxonomies: 'terms',
  comments: 'comments',
  commentsOf: 'comments.post',
} as const;

/** Moves when a term is called or sorted otherwise, or goes: with the number of records that carry one, nothing of it does. */
export const namesTopic = 'terms.names';

/** Moves when something is kept of a file, in its table or in its record, and when its address or who sees it changes. */
export const mediaTopic = 'media';

/** What records show. Whatever of it is not told by their version, they share with others. */
export const toldPosts = {
  tables: ['posts', 'post_meta', 'post_terms', 'terms', 'revisions', 'settings'],
  shared: [namesTopic, 'settings', membersTopic],
} as const;
