// What people have made of test data since, or in touch with it: nothing of that is taken away with it.
import { Problem } from '#kernel/problem.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { User } from '#site/identity/users/user.ts';
import type { SiteDefaults } from '#site/platform/settings/site.ts';
import type { Reads } from '#store/handles.ts';
import { isAsMade, type Kind } from './marked.ts';
import { madeOf, mark } from './marks.ts';

/** As the writes of every noun come: those of people know nothing of content. */
export type Write = Reads<IdentityTables>;
export const contentIn = (tx: Write) => tx as unknown as Reads<ContentTables>;

/** Nobody misses what is said there. */
const nobodys = ['spam', 'trash'];

/** Throws for what says something else than when it was made. */
export async function refuseChanged(tx: Write, kind: Kind, id: number, made: string): Promise<void> {
  if (!(await isAsMade(contentIn(tx), kind, id, made)))
    throw stays('changed_since', 'Somebody has changed it since; delete it by hand, if you do not need it.');
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
    if (chosenIn(choices).includes(post.id))
      throw stays(
        'chosen_since',
        'It stands for the site, or at its front; choose something else in the settings first.',
      );
  }
  for await (const { marked, ...comment } of commentsOn(tx, post.id)) {
    if (marked && (await isAsMade(contentIn(tx), 'comments', comment.id, madeOf.comments(comment)))) continue;
    throw stays(
      'has_comments',
      'Somebody has commented on it, or changed a comment there; delete it by hand, if you do not need that.',
    );
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
    if (opened.length > 0)
      throw stays('used_since', 'Somebody has signed in as this user, or made an application password for them.');
  }
}

/** Throws for a user by whom something is: it would go with them. By then that is nothing that was made as test data. */
export async function refuseOwner(tx: Write, id: number): Promise<void> {
  const db = contentIn(tx);
  const theirs = db.selectFrom('posts').select('id').where('author', '=', id).limit(1);
  const said = db.selectFrom('comments').select('id').where('user_id', '=', id).limit(1);
  if ([await theirs.execute(), await said.execute()].flat().length === 0) return;
  throw stays('user_owns_content', 'Something that stays is by this user; give it to somebody else first.');
}

const stays = (code: string, message: string): Problem => new Problem(409, code, message);
