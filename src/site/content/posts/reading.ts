// Records as they are read: one, some, or a list of them.
import type { Store } from '#store/store.ts';
import { there } from './faults.ts';
import { listPosts, listVersions } from './list.ts';
import { createPlainLists } from './list-plain.ts';
import type { Tables } from './list-shape.ts';
import type { Posts } from './post.ts';
import { findPost, somePosts } from './rows.ts';

export interface ReadingNeeds {
  readonly store: Store<Tables>;
  readonly terms: { withBelow(ids: readonly number[]): Promise<readonly number[]> };
}

export function createPostReading({
  store,
  terms,
}: ReadingNeeds): Pick<Posts, 'find' | 'get' | 'some' | 'list' | 'listVersions'> {
  const { db, engine } = store;
  const listing = { db, engine, withBelow: (ids: readonly number[]) => terms.withBelow(ids) };
  const plain = createPlainLists(db);
  return {
    find: (id) => findPost(db, id),
    async get(id, type) {
      return there(await findPost(db, id), type);
    },
    some: (ids) => somePosts(db, ids),
    list: (wanted) => listPosts(listing, wanted),
    listVersions: async (wanted) => (await plain(wanted)) ?? listVersions(listing, wanted),
  };
}
