// Records as anybody gets them: as they were told before; what is new or has changed is told now.
import type { Face } from '#kernel/faces.ts';
import type { Telling, Told } from '#kernel/told.ts';
import type { Content } from '#site/content/content.ts';
import type { Extra } from '#site/content/extending.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Versioned } from '#site/platform/cache/records.ts';
import type { createLoading, Look } from './loading.ts';
import type { ShownPost } from './shown-post.ts';

export type ToldPost = Told | Telling<ShownPost>;

interface TellingNeeds extends Pick<Content, 'posts' | 'rights' | 'told'> {
  readonly load: ReturnType<typeof createLoading>['load'];
}

/** What an extension shows moves with tables that only it knows. */
export const faceFor = ({ anybody, password = '', words }: Look, { fields }: Extra): Face | undefined =>
  password === '' && words === undefined && Object.keys(fields).length === 0 ? anybody : undefined;

export function createTelling({ posts, rights, told, load }: TellingNeeds) {
  /** Those of them that this caller may see, or may edit. */
  const seen = async (some: readonly Post[], { caller, editing }: Look): Promise<Post[]> => {
    const may = await Promise.all(
      some.map((post) => (editing ? rights.mayEdit(caller, post) : rights.mayRead(caller, post))),
    );
    return some.filter((_, at) => may[at]);
  };

  return {
    seen,

    async one(post: Post, face: Face, look: Look, extra: Extra): Promise<ToldPost> {
      const telling = told.telling(face);
      const [known] = told.known(face, [post]);
      return known ?? telling((await load([post], look, extra))[0]!);
    },

    async all(some: readonly Versioned[], face: Face, look: Look, extra: Extra): Promise<ToldPost[]> {
      const telling = told.telling(face);
      const known = told.known(face, some);
      const missing = some.filter((_, at) => known[at] === undefined);
      if (missing.length === 0) return known.filter((one) => one !== undefined);
      const found = await posts.some(missing.map(({ id }) => id));
      const made = await load(await seen([...found.values()], look), look, extra);
      const byId = new Map(made.map((post) => [post.id, telling(post)]));
      return some.map(({ id }, at) => known[at] ?? byId.get(id)).filter((one) => one !== undefined);
    },
  };
}
