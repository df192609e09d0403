// Deleting a record for good, with all that goes with it.
import { sql } from 'kysely';
import type { During } from '#store/writing.ts';
import type { Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';
import { unindexPost } from './found-by.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post } from './post.ts';
import { recount } from './rows.ts';
import { freeSlug, slugLock } from './slugs.ts';
import { changedBelow } from './tree.ts';

type Along = Pick<WritingNeeds, 'kinds' | 'terms' | 'revisions' | 'comments' | 'onErase'>;

/** The write holds the lock of the tree. */
export async function erasePost(
  tx: Writing,
  during: During,
  post: Post,
  { kinds, terms, revisions, comments, onErase }: Along,
): Promise<void> {
  const type = kinds.type(post.type);
  const clashing = type?.hierarchical ? await clashesOf(tx, during, post, type) : [];
  await changedBelow(tx, during, post);
  if (type?.hierarchical) await raise(tx, during, post, type, clashing);
  await letGo(tx, post);
  for (const erase of onErase) await erase(tx, post);
  await terms.released(tx, post);
  await comments.released(tx, post);
  await revisions.released(tx, post);
  await tx.deleteFrom('post_meta').where('post_id', '=', post.id).execute();
  await tx.deleteFrom('old_slugs').where('post_id', '=', post.id).execute();
  await unindexPost(tx, post.id);
  await tx.deleteFrom('posts').where('id', '=', post.id).execute();
  await recount(tx, post, undefined);
}

type Named = Pick<Post, 'id' | 'slug'>;

/** The server has room for some thousands of locks, of all writes together. */
const mostNames = 1_000;

/** Of what lies below a page, what cannot lie where the page lies as it is called; others that want names of what rises wait. */
async function clashesOf(tx: Writing, { lock }: During, page: Post, kind: ContentType): Promise<Named[]> {
  const { id, type, parent } = page;
  const below = tx.selectFrom('posts').select(['id', 'slug']).where('type', '=', type).where('parent', '=', id);
  const rising = below.where('slug', '<>', '');
  const names = new Set((await rising.execute()).map(({ slug }) => slugLock(slug)));
  await Promise.all([...names].sort().slice(0, mostNames).map(lock));
  const taken = tx.selectFrom('posts').select('slug').where('type', '=', type).where('parent', '=', parent);
  const elsewhere = parent === 0 ? [...(kind.taken ?? [])] : [];
  if (elsewhere.length === 0) return rising.where('slug', 'in', taken).execute();
  return rising.where((row) => row.or([row('slug', 'in', taken), row('slug', 'in', elsewhere)])).execute();
}

async function raise(tx: Writing, during: During, page: Post, type: ContentType, clashing: Named[]): Promise<void> {
  const { id, parent } = page;
  const others = clashing.map((child) => child.id);
  let below = tx.updateTable('posts').set({ parent }).where('parent', '=', id).where('type', '=', page.type);
  if (others.length > 0) below = below.where('id', 'not in', others);
  await below.execute();
  for (const child of clashing) {
    const slug = await freeSlug(tx, during, child.slug, { id: child.id, type, parent });
    await tx.updateTable('posts').set({ slug, parent }).where('id', '=', child.id).execute();
  }
}

/** What is attached to it, or shows it, is without it from now on. */
async function letGo(tx: Writing, { id, type }: Post): Promise<void> {
  await tx.updateTable('posts').set({ parent: 0 }).where('parent', '=', id).execute();
  if (type !== 'attachment') return;
  await tx
    .updateTable('posts')
    .set({ featured_media: 0, version: sql<number>`version + 1` })
    .where('featured_media', '=', id)
    .execute();
}
