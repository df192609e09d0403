// Records of every type: what there is, and what is done with it.
import { postSlug } from '#lib/post-slug.ts';
import type { WritingNeeds } from './needs.ts';
import type { Posts } from './post.ts';
import { createPostReading, type ReadingNeeds } from './reading.ts';
import { firstFree } from './slugs.ts';
import { createWriting } from './writing.ts';

export type PostsNeeds = WritingNeeds & ReadingNeeds;

export function createPosts(needs: PostsNeeds): Posts {
  const { store, kinds } = needs;
  return {
    ...createPostReading(needs),
    ...createWriting(needs),
    parting: (part) => void needs.partings.push(part),
    async slugFor(post) {
      const type = kinds.type(post.type)!;
      return firstFree(store.db, postSlug(post.title) || `${post.id}`, { ...post, type });
    },
  };
}
