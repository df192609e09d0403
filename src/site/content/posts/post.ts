// A record of any type, as it is kept and as everybody else sees it; and what can be done with one.
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import { columnOf, keysOf } from '#lib/objects.ts';
import type { Moment } from '#lib/wall-time.ts';
import type { Doing } from '../../identity/doing.ts';
import type { MetaValues } from '../meta.ts';
import type { PostsTable, Writing } from '../tables.ts';

export interface Post extends Omit<Selectable<PostsTable>, 'title_key' | 'slug_before' | 'trashed_at'> {}

interface PostColumn {
  /** What a new record has where nothing else gives it. */
  readonly initial?: string | number | null;
  /** A request says it: it is kept as it was said, or by a rule of its own. */
  readonly said?: 'kept' | 'judged';
  /** The column by which lists are sorted under this name. */
  readonly order?: keyof PostsTable;
}

/** Every column that is seen, and all that is true of it: the input, the row of a new record and the orders are read off here. */
export const postColumns = {
  id: { order: 'id' },
  type: {},
  status: { said: 'judged' },
  author: { said: 'kept', order: 'author' },
  parent: { initial: 0, said: 'judged', order: 'parent' },
  menu_order: { initial: 0, said: 'kept', order: 'menu_order' },
  slug: { initial: '', said: 'judged', order: 'slug' },
  date: { said: 'judged', order: 'date' },
  date_gmt: { said: 'judged' },
  modified: { order: 'modified' },
  modified_gmt: {},
  password: { initial: '', said: 'kept' },
  comment_status: { said: 'kept' },
  ping_status: { said: 'kept' },
  template: { initial: '', said: 'kept' },
  format: { initial: '', said: 'judged' },
  sticky: { initial: 0, said: 'judged' },
  featured_media: { initial: 0, said: 'judged' },
  mime_type: { initial: '' },
  guid: { initial: '' },
  version: { initial: 1 },
  status_before: { initial: null },
  title: { initial: '', said: 'kept', order: 'title_key' },
  excerpt: { initial: '', said: 'kept' },
  content: { initial: '', said: 'kept' },
} as const satisfies Record<keyof Post, PostColumn>;

const said = columnOf(postColumns, 'said');
export const orders = columnOf(postColumns, 'order');

/** The columns of which a request can say something. */
export const saidColumns = keysOf(said);
type SaidColumn = keyof typeof said;

/** Those that are kept as they are said. */
export const keptAsSaid = saidColumns.filter((name): name is KeptAsSaid => said[name] === 'kept');
type KeptAsSaid = { [K in SaidColumn]: (typeof said)[K] extends 'kept' ? K : never }[SaidColumn];

/** What a request says of a record. What it leaves out stays, or is as the notes say for a new one. */
export interface PostInput extends Readonly<Partial<Pick<Post, Exclude<SaidColumn, 'date' | 'sticky'>>>> {
  readonly date?: string | null;
  readonly sticky?: boolean;
  /** By the name of the taxonomy: the numbers of terms; those that are not there are left out. */
  readonly terms?: Readonly<Record<string, readonly number[]>>;
  /** By key; null takes it away. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One of many that the program makes together: kept as it stands, whatever its status. */
export interface OneOfMany extends Pick<Post, 'status' | 'author' | 'title' | 'content' | 'excerpt'> {
  /** When it was published, or will be. */
  readonly moment: Moment;
  readonly comment_status: 'open' | 'closed';
  readonly ping_status: 'open' | 'closed';
  /** By the name of the taxonomy: the numbers of terms; those that are not there are left out. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  /** The picture it is shown with; what is no file is passed over. */
  readonly featured_media?: number | undefined;
  readonly meta: MetaValues;
}

export type Order = keyof typeof orders | 'include' | 'include_slugs' | 'relevance';

/** Which terms of one taxonomy: any of them, or all; with what is below them. */
export interface TermFilter {
  readonly taxonomy: string;
  readonly terms: readonly number[];
  readonly children: boolean;
  readonly operator: 'AND' | 'OR';
  readonly exclude: boolean;
}

/** A condition of an extension, on `posts`. */
export type Also = RawBuilder<SqlBool>;

/** Conditions of extensions. `areFew`: they leave at most some hundred records, which are read first and sorted then. */
export interface Conditions {
  readonly also: readonly Also[];
  readonly areFew: boolean;
}

/** Where an extension keeps what lists are sorted by: at most one row a record. An index over value and key gives them in order. */
export interface AddedOrder {
  readonly table: string;
  /** The column with the number of the record. */
  readonly key: string;
  readonly value: string;
}

/** Records that an account may not read. Attachments of them that another account uploaded are hidden, too. */
export interface HiddenParents {
  /** Zero for visitors: then each request has the same conditions. */
  readonly author: number;
  readonly ids: RawBuilder<number>;
  /** Whether `posts.parent` is one of them. For a few rows this costs less than to collect all of `ids`. */
  readonly isParent: RawBuilder<SqlBool>;
}

export interface Wanted {
  readonly types: readonly string[];
  readonly statuses: readonly string[];
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: Order;
  /** Sorts in place of `orderBy`. Records without a value come last in either direction. */
  readonly addedOrder?: AddedOrder;
  readonly search?: string | undefined;
  readonly searchColumns?: readonly ('title' | 'excerpt' | 'content')[];
  /** Whole columns are compared. */
  readonly searchExact?: boolean;
  /** Without what a password closes: whoever finds a word in it knows of the word. */
  readonly searchOpen?: boolean;
  /** Records in one of these statuses are listed only when this account wrote them. */
  readonly ownOnly?: { readonly author: number; readonly statuses: readonly string[] };
  /** Without attachments of these records, unless this account uploaded them. */
  readonly notAttached?: HiddenParents;
  /** Wall times of the site; exclusive. */
  readonly after?: string;
  readonly before?: string;
  readonly modifiedAfter?: string;
  readonly modifiedBefore?: string;
  readonly authors?: readonly number[];
  readonly notAuthors?: readonly number[];
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  readonly parents?: readonly number[];
  readonly notParents?: readonly number[];
  readonly menuOrder?: number;
  readonly terms?: readonly TermFilter[];
  readonly termRelation?: 'AND' | 'OR';
  readonly sticky?: boolean;
  /** Sticky ones first, on top of the first page. */
  readonly stickyFirst?: boolean;
  /** `standard` for those without one. */
  readonly formats?: readonly string[];
  readonly mimeTypes?: readonly string[];
  /** The first parts of them: `image`. */
  readonly mediaTypes?: readonly string[];
  readonly also?: readonly Also[];
  /** The conditions in `also` leave few records. */
  readonly alsoFew?: boolean;
}

export interface PostList {
  readonly items: Post[];
  readonly total: number;
}

export interface VersionList {
  readonly items: readonly Pick<Post, 'id' | 'version'>[];
  readonly total: number;
}

/** In the write of a record: what an extension adds to it. */
export type Alongside = (tx: Writing, post: Post) => Promise<void>;

export interface Changing extends Doing<Post> {
  /** Who writes, where that is not who answers for it: what is new is theirs. */
  readonly writer?: number;
  /** Whether what they write is kept byte for byte. */
  readonly unfiltered: boolean;
  readonly alongside?: Alongside;
  /** What the program changes by itself keeps the date of the last change, and what somebody is writing meanwhile. */
  readonly keepsModified?: true;
  /** For a new record, of which `again` asks whether there is another: made by one at a time that say the same here. */
  readonly alone?: string;
  /** What is true of a new file, and stays so. */
  readonly file?: { readonly mime_type: string; readonly guid: string };
}

export interface Posts {
  find(id: number): Promise<Post | undefined>;
  /** Throws `rest_post_invalid_id`, also for one of another type. */
  get(id: number, type?: string): Promise<Post>;
  some(ids: readonly number[]): Promise<Map<number, Post>>;
  list(wanted: Wanted): Promise<PostList>;
  /** The same list, for whoever remembers the records. */
  listVersions(wanted: Wanted): Promise<VersionList>;
  add(type: string, said: PostInput, changing: Changing): Promise<Post>;
  /** All of them or none, in one write. */
  addMany(type: string, all: readonly OneOfMany[], doing: Doing<Post>): Promise<Post[]>;
  change(post: Post, said: PostInput, changing: Changing): Promise<Post>;
  /** Throws `rest_already_trashed`. */
  trash(post: Post, doing: Doing<Post>): Promise<Post>;
  /** For good, with all that goes with it. */
  erase(post: Post, doing: Doing<Post>): Promise<Post>;
  /** What else belongs to records, and goes in the write that deletes one. Returns how to say so no more. */
  parting(part: Alongside): () => void;
  /** The slugs that their titles would give now, by number. */
  slugsFor(posts: readonly Post[]): Promise<Map<number, string>>;
}
