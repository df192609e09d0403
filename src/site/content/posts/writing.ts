// Writing records: one write each, which asks again who may, and tells what happened once it is kept.
import { momentAt } from '#lib/wall-time.ts';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import type { Doing } from '../../identity/doing.ts';
import { userLock } from '../../identity/users/guards.ts';
import { nobodys } from '../../identity/users/user.ts';
import { contentErrors } from '../errors.ts';
import { demandTrash } from '../statuses.ts';
import type { Writing } from '../tables.ts';
import { holdAuthors, insertMany, insertPost } from './add.ts';
import { changePost, follow, isRestored, keepPost } from './change.ts';
import type { Now } from './dates.ts';
import { erasePost } from './erase.ts';
import { there } from './faults.ts';
import type { WritingNeeds } from './needs.ts';
import type { Changing, Post, PostInput, Posts } from './post.ts';
import { prepared } from './prepared.ts';
import { type Found, findFound, findGoing, postLock, recount } from './rows.ts';
import { freeSlug, trashedSlug } from './slugs.ts';
import { takeBranch, takePair, treeLock } from './tree.ts';

export function createWriting(needs: WritingNeeds): Pick<Posts, 'add' | 'addMany' | 'change' | 'trash' | 'erase'> {
  const { store, events } = needs;

  const asked = async (
    tx: Writing,
    id: number,
    find: (tx: Writing, id: number) => Promise<Found | undefined>,
    again: Doing<Post>['again'],
  ): Promise<Found> => {
    const post = there(await find(tx, id), id);
    await again?.(tx, post);
    return post;
  };

  const change = async ({ id, type }: Post, said: PostInput, { again, ...changing }: Changing): Promise<Post> => {
    const known = { ...(await prepared(needs, type, said, changing)), ...changing };
    const { before, post } = await store.write(async (tx, during) => {
      await whoseItIs(during, said.author, changing.writer ?? changing.by);
      await during.lock(postLock(id));
      await takeTouched(tx, during, { id, type }, said);
      const before = await asked(tx, id, findFound, again);
      return { before, post: await changePost(tx, during, before, known, needs) };
    });
    events.emit('post.saved', { post, before });
    if (isRestored(before, post)) events.emit('post.restored', { post });
    if (post.status === 'publish' && before.status !== 'publish') events.emit('post.published', { post, before });
    return post;
  };

  const trash = async ({ id, type }: Post, { again }: Doing<Post>): Promise<Post> => {
    demandTrash(needs.trashDays);
    const zone = await needs.zone();
    const post = await store.write(async (tx, during) => {
      await Promise.all([during.lock(postLock(id)), takeBranch(tx, { id, type })]);
      const before = await asked(tx, id, findFound, again);
      return trashPost(tx, during, before, { ...momentAt(zone, needs.clock()), zone }, needs);
    });
    events.emit('post.trashed', { post });
    return post;
  };

  const erase = async ({ id, type }: Post, { again }: Doing<Post>): Promise<Post> => {
    const post = await store.write(async (tx, during) => {
      await during.lock(postLock(id));
      await Promise.all([during.lock(treeLock), takeBranch(tx, { id, type })]);
      const { slug_before: _, ...post } = await asked(tx, id, findGoing, again);
      await erasePost(tx, during, post, needs);
      return post;
    });
    events.emit('post.deleted', { post });
    return post;
  };

  return { ...createAdding(needs), change, trash, erase };
}

function createAdding(needs: WritingNeeds): Pick<Posts, 'add' | 'addMany'> {
  const { store, events, kinds } = needs;

  const add = async (name: string, said: PostInput, { again, alone, ...changing }: Changing): Promise<Post> => {
    const known = await prepared(needs, name, said, changing);
    const needsCategory = known.type.taxonomies.includes('category') && said.terms?.category === undefined;
    const category = needsCategory ? await needs.terms.defaultCategory() : undefined;
    const making = { ...known, ...changing, category, defaults: await needs.defaults() };
    const post = await store.write(async (tx, during) => {
      await whoseItIs(during, said.author ?? changing.writer ?? changing.by);
      if (alone !== undefined) await during.lock(alone);
      await again?.(tx, undefined);
      return insertPost(tx, during, making, needs);
    });
    tellNew(post);
    return post;
  };

  const addMany: Posts['addMany'] = async (name, all, { again }) => {
    const type = kinds.type(name);
    if (type === undefined) throw contentErrors.postInvalidId();
    const posts = await store.write(async (tx, during) => {
      await holdAuthors(tx, during, all);
      await again?.(tx, undefined);
      return insertMany(tx, during, type, all, needs);
    });
    posts.forEach(tellNew);
    return posts;
  };

  const tellNew = (post: Post): void => {
    events.emit('post.saved', { post, before: undefined });
    if (post.status === 'publish') events.emit('post.published', { post, before: undefined });
  };

  return { add, addMany };
}

async function takeTouched(
  tx: Writing,
  { lock }: During,
  post: Pick<Post, 'id' | 'type'>,
  said: PostInput,
): Promise<void> {
  const { parent = 0, featured_media = 0 } = said;
  if (said.parent !== undefined) await lock(treeLock);
  if (isMove(said)) return takeBranch(tx, post, { parent, featured_media });
  if (featured_media > 0) await takePair(tx, post.id, featured_media);
}

/** Of what this is said, the address may change, or whether it is seen: what lies below changes with it. */
const isMove = ({ slug, parent, status, date, date_gmt }: PostInput): boolean =>
  [slug, parent, status, date, date_gmt].some((one) => one !== undefined);

/** They are there as long as this write is under way, if they are there at all. Asked before any other lock is had. */
async function whoseItIs({ share }: During, ...users: readonly (number | undefined)[]): Promise<void> {
  const some = new Set(users.filter((id) => id !== undefined && id !== nobodys));
  await Promise.all([...some].map((id) => share(userLock(id!))));
}

// Putting a record into the trash, from where its next status brings it back.

async function trashPost(tx: Writing, during: During, before: Found, now: Now, needs: WritingNeeds): Promise<Post> {
  if (before.status === 'trash') throw contentErrors.alreadyTrashed().saying('The record is in the trash already.');
  const type = needs.kinds.type(before.type)!;
  const post = await keepPost(tx, before, {
    ...before,
    status: 'trash',
    slug: await freeSlug(tx, during, trashedSlug(before.slug), { ...before, type }),
    modified: now.wall,
    modified_gmt: now.utc,
    status_before: before.status,
    slug_before: before.slug,
    trashed_at: instant(needs.clock()),
  });
  await follow(tx, during, before, post, needs);
  await needs.comments.trashed(tx, post);
  await recount(tx, before, post);
  return post;
}
