// What people have made of test data since, or in touch with it, and which test pictures they show: none of that is taken away
// with it.

import { sql } from 'kysely';
import type { Content } from '#site/content/content.ts';
import { fileReferences } from '#site/content/media/file-references.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { User } from '#site/identity/users/user.ts';
import type { SiteDefaults } from '#site/platform/settings/site.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import { titled } from './called.ts';
import { testDataErrors } from './errors.ts';
import { isAsMade, type Kind, madeMark, madeOf, mark, markedAfter } from './marks.ts';

/** As the writes of every noun come: those of people know nothing of content. */
export type Write = Reads<IdentityTables>;
const contentIn = (tx: Write) => tx as unknown as Reads<ContentTables>;

/** Nobody misses what is said there. */
const nobodys = ['spam', 'trash'];

/** Throws for what says something else than when it was made. */
export async function refuseChanged(tx: Write, kind: Kind, id: number, made: string): Promise<void> {
  if (!(await isAsMade(contentIn(tx), kind, id, made))) throw testDataErrors.changedSince();
}

/** Of the settings of a site, which name records by their numbers. */
type Choices = Pick<SiteDefaults, 'show_on_front' | 'page_on_front' | 'page_for_posts' | 'site_logo' | 'site_icon'>;

/** What stands for the site, or at its front: somebody chose that, whether or not they changed it. */
function chosenIn({ show_on_front, page_on_front, page_for_posts, site_logo, site_icon }: Choices) {
  const pages = show_on_front === 'page' ? [page_on_front, page_for_posts] : [];
  return [...pages, site_logo, site_icon];
}

/** Throws for a record that somebody has changed, chosen, or said something about. What they threw away themselves may go. */
export async function refuseTouched(tx: Write, post: Post, choices: Choices): Promise<void> {
  if (post.status !== 'trash') {
    await refuseChanged(tx, 'posts', post.id, madeOf.posts(post));
    if (chosenIn(choices).includes(post.id)) throw testDataErrors.chosenSince();
  }
  for await (const { marked, ...comment } of commentsOn(tx, post.id)) {
    if (marked && (await isAsMade(contentIn(tx), 'comments', comment.id, madeOf.comments(comment)))) continue;
    throw testDataErrors.hasComments();
  }
}

/** So many are looked at together. */
const atOnce = 100;

async function* commentsOn(tx: Write, post: number) {
  for (let last = 0; ; ) {
    const rows = await contentIn(tx)
      .selectFrom('comments')
      .leftJoin('comment_meta', (on) =>
        on.onRef('comment_meta.comment_id', '=', 'comments.id').on('comment_meta.key', '=', mark),
      )
      .select(['id', 'content', 'author_name', 'author_email', 'author_url', 'comment_meta.key as marked'])
      .where('post_id', '=', post)
      .where('status', 'not in', nobodys)
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield* rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.id;
  }
}

/** Throws for a user whose account somebody has changed or opened. */
export async function refuseOpened(tx: Write, user: User): Promise<void> {
  await refuseChanged(tx, 'users', user.id, madeOf.users(user));
  for (const table of ['sessions', 'application_passwords'] as const) {
    const opened = await tx.selectFrom(table).select('id').where('user_id', '=', user.id).limit(1).execute();
    if (opened.length > 0) throw testDataErrors.usedSince();
  }
}

/** Throws for a user by whom something is: it would go with them. By then that is nothing that was made as test data. */
export async function refuseOwner(tx: Write, id: number): Promise<void> {
  const db = contentIn(tx);
  const theirs = db.selectFrom('posts').select('id').where('author', '=', id).limit(1);
  const said = db.selectFrom('comments').select('id').where('user_id', '=', id).limit(1);
  if ([await theirs.execute(), await said.execute()].flat().length === 0) return;
  throw testDataErrors.userOwnsContent();
}

interface ShownDeps {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'posts' | 'media'>;
}

/** By the number of the picture: a record in whose text it is. */
export type Shown = ReadonlyMap<number, number>;

/** So many are looked up together. */
const filesAtOnce = 500;

/** Of all test data, or what one run made; every text is read once for it, and none where there is no picture. */
export async function shownOf({ store, content: { media } }: ShownDeps, run: string | undefined): Promise<Shown> {
  const files = new Map<number, string>();
  for (let last = 0; ; ) {
    const ids = await markedAfter(store.db, 'posts', last, filesAtOnce, run);
    for (const [id, { file }] of await media.files(ids)) files.set(id, file.replace(/^.*\//, ''));
    if (ids.length < filesAtOnce) break;
    last = ids.at(-1)!;
  }
  const shown = new Map<number, number>();
  for await (const { file, record } of fileReferences(store, files)) if (!shown.has(file)) shown.set(file, record);
  return shown;
}

/** Throws for a picture that a record of people shows, whose number is `named` where it stands in a text. */
export async function refuseShown(tx: Write, { id }: Pick<Post, 'id'>, named: number | undefined): Promise<void> {
  const db = contentIn(tx);
  const records = db.selectFrom('posts').select(['posts.id', 'posts.type', 'posts.title']).limit(1);
  const said = named === undefined ? undefined : await records.where('id', '=', named).executeTakeFirst();
  const asMade = sql<boolean>`made.value = '"' || posts.modified_gmt || '"'`;
  const fronted = records
    .leftJoin('post_meta as made', (on) => on.onRef('made.post_id', '=', 'posts.id').on('made.key', '=', madeMark))
    .where('posts.featured_media', '=', id)
    // What is as it was made goes too.
    .where((is) => is.or([is('made.key', 'is', null), is.not(asMade)]));
  const found = said ?? (await fronted.orderBy('posts.id').executeTakeFirst());
  if (found === undefined) return;
  throw testDataErrors.shownSince(titled(found));
}
