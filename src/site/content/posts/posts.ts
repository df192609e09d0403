// Records of every type: what there is, and what is done with it.
import { postSlug } from '#lib/slug.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { emptyTrash } from './emptying.ts';
import type { WritingNeeds } from './needs.ts';
import type { Posts } from './post.ts';
import { publishWhenDue } from './publishing.ts';
import { createPostReading, type ReadingNeeds } from './reading.ts';
import { firstFreeOnes } from './slugs.ts';
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
