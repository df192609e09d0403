// The paths of what lies in a tree: the slug of a record, and those of what it lies below, whatever state that is in.
import type { Reads } from '#store/handles.ts';
import type { LinkedPost } from './posts/hooks.ts';
import type { ContentTables } from './tables.ts';
import type { Kinds } from './types.ts';

export type PostsByNumber = ReadonlyMap<number, LinkedPost>;

export const placed = ['id', 'type', 'status', 'slug', 'date', 'parent'] as const;

/** Deeper trees, and those that bite their own tail, end here. */
export const deepest = 30;

/** These, and what lies above them as far up as their addresses say: asked for at once. */
export type Above = (posts: readonly LinkedPost[]) => Promise<PostsByNumber>;

export function createAbove(db: Reads<ContentTables>, kinds: Kinds): Above {
  const isBelow = ({ type, parent }: LinkedPost): boolean =>
    parent !== 0 && (type === 'attachment' || kinds.type(type)?.hierarchical === true);
  return async (posts) => {
    const known = new Map(posts.map((post) => [post.id, post]));
    let missing = posts.filter(isBelow);
    for (let depth = 0; missing.length > 0 && depth < deepest; depth++) {
      const ids = [...new Set(missing.map(({ parent }) => parent).filter((id) => !known.has(id)))];
      if (ids.length === 0) break;
      const rows = await db.selectFrom('posts').select(placed).where('id', 'in', ids).execute();
      for (const row of rows) known.set(row.id, row);
      missing = rows.filter(isBelow);
    }
    return known;
  };
}

/** Those of the tree that are above a record, from the top; a record stands there once, and one without a slug not at all. */
export function pathIn(known: PostsByNumber, post: LinkedPost, slug = post.slug): string {
  const slugs = [slug];
  const seen = new Set([post.id]);
  for (let at = known.get(post.parent); at !== undefined && !seen.has(at.id); at = known.get(at.parent)) {
    seen.add(at.id);
    if (at.slug !== '') slugs.unshift(at.slug);
  }
  return slugs.join('/');
}
