// Records of every type: what there is, and what is done with it.
import { postSlug } from '#lib/slug.ts';
import type { Store } from '#store/store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { emptying } from '../emptying.ts';
import { erasePost } from './erase.ts';
import { there } from './faults.ts';
import { createPlainLists, listPosts, listVersions } from './list.ts';
import type { Tables } from './list-filters.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post, Posts } from './post.ts';
import { publishWhenDue } from './publishing.ts';
import { findTrashed, postLock, somePosts } from './rows.ts';
import { firstFreeOnes } from './slugs.ts';
import { takeBranch, treeLock } from './tree.ts';
import { createWriting } from './writing.ts';

export type PostsNeeds = WritingNeeds & ReadingNeeds & { readonly jobs: Pick<Jobs, 'kind' | 'schedule'> };

export function createPosts(needs: PostsNeeds): Posts {
  const { store, kinds } = needs;
  publishWhenDue(needs, needs.jobs);
  emptyTrash(needs, needs.jobs);
  return {
    ...createPostReading(needs),
    ...createWriting(needs),
    parting(part) {
      needs.onErase.push(part);
      return () => {
        const at = needs.onErase.indexOf(part);
        if (at >= 0) needs.onErase.splice(at, 1);
      };
    },
    async slugsFor(posts) {
      const wishes = posts.map((post) => ({
        slug: postSlug(post.title) || `${post.id}`,
        place: { ...post, type: kinds.type(post.type)! },
      }));
      const slugs = await firstFreeOnes(store.db, wishes);
      return new Map(posts.map(({ id }, at) => [id, slugs[at]!]));
    },
  };
}

type Needs = Pick<
  WritingNeeds,
  'store' | 'clock' | 'events' | 'kinds' | 'terms' | 'revisions' | 'comments' | 'onErase' | 'trashDays'
>;

type Trashed = Pick<Post, 'id' | 'type'>;

function emptyTrash(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  emptying(needs, jobs, {
    name: 'posts.empty-trash',
    about: 'Deletes posts that were in the trash for too long',
    trashed: (before, after, limit) =>
      needs.store.db
        .selectFrom('posts')
        .select(['id', 'type'])
        .where('status', '=', 'trash')
        .where('trashed_at', '<=', before)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    erase: (post, before) => eraseTrashed(needs, post, before),
  });
}

/** Unless somebody brought it back meanwhile. */
async function eraseTrashed(needs: Needs, { id, type }: Trashed, before: string): Promise<void> {
  const post = await needs.store.write(async (tx, during) => {
    await during.lock(postLock(id));
    await Promise.all([during.lock(treeLock), takeBranch(tx, { id, type })]);
    const found = await findTrashed(tx, id, before);
    if (found === undefined) return undefined;
    const { slug_before: _, ...post } = found;
    await erasePost(tx, during, post, needs);
    return post;
  });
  if (post !== undefined) needs.events.emit('post.deleted', { post });
}

// Records as they are read: one, some, or a list of them.

interface ReadingNeeds {
  readonly store: Store<Tables>;
  readonly terms: { withBelow(ids: readonly number[]): Promise<readonly number[]> };
}

export function createPostReading({
  store,
  terms,
}: ReadingNeeds): Pick<Posts, 'find' | 'get' | 'some' | 'list' | 'listVersions'> {
  const { db, engine } = store;
  const listing = { db, engine, withBelow: (ids: readonly number[]) => terms.withBelow(ids) };
  const plain = createPlainLists(listing);
  const some = store.gathered((ids) => somePosts(db, ids));
  const find = async (id: number) => (await some([id])).get(id);
  return {
    find,
    async get(id, type) {
      return there(await find(id), id, type);
    },
    some,
    async list(wanted) {
      const list = await plain(wanted);
      if (list === undefined) return listPosts(listing, wanted);
      const rows = await somePosts(
        db,
        list.items.map(({ id }) => id),
      );
      return { total: list.total, items: list.items.map(({ id }) => rows.get(id)).filter((row) => row !== undefined) };
    },
    listVersions: async (wanted) => (await plain(wanted)) ?? listVersions(listing, wanted),
  };
}
