// Changing a record, and what follows from it.
import { sql } from 'kysely';
import { postSlug } from '#lib/slug.ts';
import type { During } from '#store/writing.ts';
import { nobodys } from '../../identity/users/user.ts';
import { keepMeta } from '../meta.ts';
import { isNamed } from '../statuses.ts';
import { mediaTopic, type PostsTable, type Writing } from '../tables.ts';
import { dated, saidDate } from './dates.ts';
import { refuseEmpty, refuseHiddenSticky, refuseParent, refuseUnknownAuthor, refuseUnknownTemplate } from './faults.ts';
import { indexPost, titleKey } from './found-by.ts';
import type { WritingNeeds } from './needs.ts';
import type { Changing, Post, PostInput } from './post.ts';
import { type Prepared, plainly } from './prepared.ts';
import { columns, type Found, recount } from './rows.ts';
import { freeSlug, slugWanted } from './slugs.ts';
import { changedBelow, pictureOf, takeNear } from './tree.ts';

interface Change extends Prepared, Pick<Changing, 'by' | 'writer' | 'alongside' | 'keepsModified'> {}

export const isRestored = (before: Post, after: Pick<Post, 'status'>): boolean =>
  before.status === 'trash' && after.status !== 'trash';

export async function changePost(
  tx: Writing,
  during: During,
  before: Found,
  change: Change,
  needs: WritingNeeds,
): Promise<Post> {
  const wanted = await soundChange(tx, before, change);
  const meta = change.metaKept();
  const slug = await slugFor(tx, during, before, wanted, change);
  const post = await keepPost(tx, before, { ...wanted, slug });
  const changed = await keepMeta(tx, post.id, meta);
  await follow(tx, during, before, post, needs);
  if (change.said.terms !== undefined) await needs.terms.assign(tx, post, change.said.terms);
  await change.alongside?.(tx, post);
  if (isRestored(before, post)) await needs.comments.restored(tx, post);
  if (change.type.supports.includes('revisions')) {
    const writer = change.writer ?? change.by ?? nobodys;
    const isMetaChanged = changed.some(needs.metaKeys.isRevisioned);
    const keepsAutosave = change.keepsModified === true;
    await needs.revisions.changed(tx, before, post, writer, { isMetaChanged, keepsAutosave });
  }
  await recount(tx, before, post);
  return post;
}

async function soundChange(tx: Writing, before: Found, change: Change): Promise<Post> {
  const { type, said, now } = change;
  const wanted: Post = {
    ...before,
    ...plainly(change),
    ...dated(said.status ?? before.status, saidDate(said, now.zone, before), now, before),
    parent: said.parent ?? before.parent,
    ...(!change.keepsModified && { modified: now.wall, modified_gmt: now.utc }),
  };
  if (wanted.author !== before.author) await refuseUnknownAuthor(tx, wanted.author);
  refuseHiddenSticky(wanted);
  const parent = wanted.parent === before.parent ? 0 : wanted.parent;
  refuseParent(await takeNear(tx, { parent, featured_media: 0 }), parent, type, before.id);
  refuseEmpty(type, wanted);
  refuseUnknownTemplate(said.template, before.template);
  const pictures = await takeNear(tx, { parent: 0, featured_media: pictureSaid(said, before) });
  const featured_media = pictureOf(pictures, said.featured_media, before.featured_media);
  return { ...wanted, featured_media, ...(isRestored(before, wanted) && { status_before: null }) };
}

/** Programs send records back whole. */
const pictureSaid = ({ featured_media = 0 }: PostInput, before: Found): number =>
  featured_media === before.featured_media ? 0 : featured_media;

/** The one said; else the one it has, or had before it was in the trash; else, where it needs one, that of its title. */
async function slugFor(tx: Writing, during: During, before: Found, after: Post, change: Change): Promise<string> {
  const { said, type } = change;
  const kept = isRestored(before, after) ? (before.slug_before ?? before.slug) : before.slug;
  // Programs send records back whole: the slug of the trash is none that somebody wants.
  const saidSlug = said.slug === before.slug ? undefined : said.slug;
  const wanted = slugWanted(saidSlug ?? kept, isNamed(after.status) ? after.title : '');
  const isNew = wanted !== before.slug || after.parent !== before.parent;
  if (wanted === '' && !isNamed(after.status)) return '';
  return isNew || wanted === '' ? freeSlug(tx, during, wanted || `${after.id}`, { ...after, type }) : wanted;
}

/** Writes the row. What nothing changes in is not written: most of a record is its text. */
export async function keepPost(
  tx: Writing,
  before: Found,
  after: Post & Partial<Pick<PostsTable, 'slug_before' | 'trashed_at'>>,
): Promise<Post> {
  const changed = Object.entries(after).filter(([key, value]) => value !== before[key as keyof Found]);
  const isBack = isRestored(before, after);
  return tx
    .updateTable('posts')
    .set({
      ...Object.fromEntries(changed),
      ...(after.title !== before.title && { title_key: titleKey(after.title) }),
      ...(isBack && { slug_before: null, trashed_at: null }),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The lists, addresses and indexes that know the record. Records first, then what counts them: so writers never wait in a ring. */
export async function follow(
  tx: Writing,
  during: During,
  before: Post,
  post: Post,
  { terms }: Pick<WritingNeeds, 'terms'>,
): Promise<void> {
  if (post.type === 'attachment') during.changed(mediaTopic);
  const shown: readonly (keyof Post)[] = ['slug', 'parent', 'status', 'date'];
  if (shown.some((key) => post[key] !== before[key])) await changedBelow(tx, during, post);
  await indexPost(tx, before, post);
  if (post.status !== before.status || post.date !== before.date) await terms.moved(tx, before, post);
  if (post.slug !== before.slug) await rememberSlug(tx, before, post);
}

/** Who knows the old address of something published is shown the new one. */
async function rememberSlug(tx: Writing, before: Post, post: Post): Promise<void> {
  const { id: post_id, slug } = post;
  await tx.deleteFrom('old_slugs').where('post_id', '=', post_id).where('slug', '=', slug).execute();
  const wasKnown = before.status === 'publish' || before.status === 'inherit';
  if (!wasKnown || before.slug === '' || post.status === 'trash') return;
  await keepOldSlugs(tx, post_id, [before.slug]);
}

/** It is found by these, too. */
export async function keepOldSlugs(tx: Writing, post_id: number, slugs: readonly string[]): Promise<void> {
  const rows = [...new Set(slugs.map((slug) => postSlug(slug)))].filter(Boolean).map((slug) => ({ post_id, slug }));
  if (rows.length === 0) return;
  await tx
    .insertInto('old_slugs')
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute();
}
