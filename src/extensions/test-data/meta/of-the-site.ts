// Values that lead to what is on the site.
import { t } from '#kernel/schema.ts';
import { type Draw, kind } from './kind.ts';

/** An image that was made as test data. */
export const attachment = kind(
  { return: t.choice(['id', 'url'], { default: 'id' }) },
  ({ return: wanted }) =>
    async (seeing): Promise<Draw> => {
      const images = await seeing.images();
      return (draws) => (images.length === 0 ? undefined : draws.pick(images)[wanted]);
    },
);

/** A published record. */
export const query = kind(
  {
    post_type: t.string({ default: 'post', maxLength: 100 }),
    search: t.optional(t.string({ maxLength: 200 })),
  },
  ({ post_type, search }) =>
    async (seeing): Promise<Draw> => {
      const posts = await seeing.posts({ type: post_type, search });
      return (draws) => (posts.length === 0 ? undefined : draws.pick(posts));
    },
);
