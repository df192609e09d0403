// Records as they are read: one, some, or a list of them.
import type { Store } from '#store/store.ts';
import { there } from './faults.ts';
import { listPosts, listVersions } from './list.ts';
import { createPlainLists } from './list-plain.ts';
import type { Tables } from './list-shape.ts';
import type { Posts } from './post.ts';
import { somePosts } from './rows.ts';

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
  const some = store.gathered((ids) => somePosts(db, ids));
  const find = async (id: number) => (await some([id])).get(id);
  return {
    find,
    async get(id, type) {
      return there(await find(id), type);
    },
    some,
    list: (wanted) => listPosts(listing, wanted),
    listVersions: async (wanted) => (await plain(wanted)) ?? listVersions(listing, wanted),
  };
}
