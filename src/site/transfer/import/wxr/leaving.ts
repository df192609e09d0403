// Records with all that belongs to them, read a few at a time in the order of their numbers.
import { sql } from 'kysely';
import { columns as commentColumns } from '../../../content/comments/rows.ts';
import { filesOf } from '../../../content/media/media.ts';
import { originalPath } from '../../../content/media/store-file.ts';
import { metaOf } from '../../../content/meta.ts';
import { columns } from '../../../content/posts/rows.ts';
import type { Db } from './channel.ts';
import { isChosen, type Selection } from './selection.ts';

type Post = Awaited<ReturnType<typeof postsOf>>[number];
type CarriedTerm = Awaited<ReturnType<typeof termsOf>>[number];
export type LeavingComment = Awaited<ReturnType<typeof commentsOf>>[number];

export interface Leaving {
  readonly post: Post;
  readonly terms: readonly CarriedTerm[];
  readonly oldSlugs: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  /** Of a file, as it came: below the uploads. */
  readonly file: { readonly path: string; readonly altText: string } | undefined;
  comments(): AsyncIterable<LeavingComment>;
}

/** So many records at a time, and fewer where they are long. */
const most = { records: 100, bytes: 2 ** 21 };
const numbersAtOnce = 500;
const commentsAtOnce = 100;

export async function* leaving(db: Db, selection: Selection): AsyncGenerator<Leaving[]> {
  for await (const ids of batches(db, selection)) yield await together(db, ids);
}

/** What a record takes, known without reading it. */
const length = sql<number>`octet_length(posts.title) + octet_length(posts.excerpt) + octet_length(posts.content)
  + coalesce((select cast(sum(octet_length(value)) as bigint) from post_meta where post_id = posts.id), 0)`;

async function* batches(db: Db, selection: Selection): AsyncGenerator<number[]> {
  for (let last = 0; ; ) {
    const some = await db
      .selectFrom('posts')
      .select(['id', length.as('bytes')])
      .where('id', '>', last)
      .where(isChosen(selection))
      .orderBy('id')
      .limit(numbersAtOnce)
      .execute();
    yield* parts(some);
    if (some.length < numbersAtOnce) return;
    last = some.at(-1)!.id;
  }
}

function* parts(all: readonly { readonly id: number; readonly bytes: number }[]): Generator<number[]> {
  let part: number[] = [];
  let length = 0;
  for (const { id, bytes } of all) {
    if (part.length > 0 && (part.length === most.records || length + Number(bytes) > most.bytes)) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push(id);
    length += Number(bytes);
  }
  if (part.length > 0) yield part;
}

async function together(db: Db, ids: readonly number[]): Promise<Leaving[]> {
  // One after the other: they share a connection.
  const posts = await postsOf(db, ids);
  const terms = Map.groupBy(await termsOf(db, ids), ({ post_id }) => post_id);
  const oldSlugs = Map.groupBy(await oldSlugsOf(db, ids), ({ post_id }) => post_id);
  const meta = await metaOf(db, ids);
  const files = await filesOf(db, ids);
  const comments = Map.groupBy(await commentNumbersOf(db, ids), ({ post_id }) => post_id);
  return posts.map((post) => {
    const file = files.get(post.id);
    return {
      post,
      terms: terms.get(post.id) ?? [],
      oldSlugs: (oldSlugs.get(post.id) ?? []).map(({ slug }) => slug),
      meta: meta.get(post.id)!,
      file: file && { path: originalPath(file), altText: file.alt_text },
      comments: () => inTurn(db, comments.get(post.id) ?? []),
    };
  });
}

const postsOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('posts')
    .leftJoin('users', 'users.id', 'posts.author')
    .select(columns.map((column) => `posts.${column}` as const))
    .select(['posts.slug_before', 'posts.trashed_at', 'users.login'])
    .where('posts.id', 'in', ids)
    .orderBy('posts.id')
    .execute();

const termsOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('post_terms')
    .innerJoin('terms', 'terms.id', 'post_terms.term_id')
    .select(['post_terms.post_id', 'terms.taxonomy', 'terms.slug', 'terms.name'])
    .where('post_terms.post_id', 'in', ids)
    .orderBy('terms.id')
    .execute();

const oldSlugsOf = (db: Db, ids: readonly number[]) =>
  db.selectFrom('old_slugs').select(['post_id', 'slug']).where('post_id', 'in', ids).orderBy('slug').execute();

const commentNumbersOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('comments')
    .select(['id', 'post_id'])
    .where('post_id', 'in', ids)
    .where('status', '<>', 'spam')
    .orderBy('id')
    .execute();

async function* inTurn(db: Db, all: readonly { readonly id: number }[]): AsyncGenerator<LeavingComment> {
  for (let at = 0; at < all.length; at += commentsAtOnce) {
    const some = all.slice(at, at + commentsAtOnce).map(({ id }) => id);
    yield* await commentsOf(db, some);
  }
}

const commentsOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('comments')
    .select([...commentColumns, 'trashed_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
