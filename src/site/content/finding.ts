// The record that an address of this site leads to: by its number, by the path of its page, or by a slug it had before.
import type { Structure } from '#lib/permalink.ts';
import type { Reads } from '#store/handles.ts';
import type { LinkedPost } from './posts/hooks.ts';
import type { Post } from './posts/post.ts';
import { columns, findPost } from './posts/rows.ts';
import type { ContentTables } from './tables.ts';
import type { Kinds } from './types.ts';

/** The paths of what lies in a tree: the slug of a record, and those of what it lies below, whatever state that is in. */
export type PostsByNumber = ReadonlyMap<number, LinkedPost>;

export const placed = ['id', 'type', 'status', 'slug', 'date', 'parent'] as const;

/** Deeper trees, and those that bite their own tail, end here. */
export const deepest = 30;

/** These, and what lies above them as far up as their addresses say: asked for at once. */
type Above = (posts: readonly LinkedPost[]) => Promise<PostsByNumber>;

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

interface Needs {
  readonly db: Reads<ContentTables>;
  readonly kinds: Kinds;
  readonly url: string;
  frontPage(): number | Promise<number>;
  /** How the addresses of posts are put together. */
  readonly structure: Structure;
  readonly above: Above;
}

/** In a query, the number of a record. */
const numbers = ['p', 'page_id', 'attachment_id'];
/** So many pages of one name below others of one name are looked at. */
const mostAlike = 100;
/** Statuses of records that have an address which names them. */
export const addressed: readonly string[] = ['publish', 'private', 'inherit'];

export function createFinding(needs: Needs): (url: string) => Promise<Post | undefined> {
  const { db, kinds, frontPage, structure, above } = needs;
  const home = new URL(needs.url);
  const base = home.pathname.replace(/\/$/, '');

  const trees = kinds.types.filter(({ hierarchical }) => hierarchical).map(({ name }) => name);

  /** Of all that are called as its last part, the one whose own path this is. */
  const pageAt = async (slugs: readonly string[]): Promise<Post | undefined> => {
    const [slug = '', last = ''] = [slugs.at(-1), slugs.at(-2)];
    const rows = await db
      .selectFrom('posts')
      .leftJoin('posts as upper', 'upper.id', 'posts.parent')
      .select(placed.map((column) => `posts.${column}` as const))
      .where('posts.slug', '=', slug)
      .where('posts.type', 'in', trees)
      .where('posts.status', 'in', addressed)
      .where((row) => row.or([row('upper.id', 'is', null), row('upper.slug', 'in', [last, ''])]))
      .orderBy('posts.id')
      .limit(mostAlike)
      .execute();
    const known = await above(rows);
    const found = rows.find((one) => pathIn(known, one) === slugs.join('/'));
    return found && findPost(db, found.id);
  };

  const inTree = async (slugs: readonly string[]): Promise<Post | undefined> => {
    const page = await pageAt(slugs);
    if (page !== undefined) return page;
    const over = slugs.length > 1 ? await pageAt(slugs.slice(0, -1)) : undefined;
    if (over === undefined && slugs.length > 1) return undefined;
    return findNamed(db, slugs.at(-1)!, ['attachment'], over?.id ?? 0);
  };

  /** All that its address says of a post is so, but that its slug may be one it had; a file may lie below. */
  const ofPost = async (parts: readonly string[]): Promise<Post | undefined> => {
    const { id, slug = '', path, below } = structure.read(parts) ?? { path: '', below: [] };
    if (path === '' || below.length > 1) return undefined;
    const post = await (id === undefined ? sluggedPost(slug) : findNumbered(db, id));
    if (post === undefined || pathOf(post, slug) !== path) return undefined;
    return below[0] === undefined ? post : findNamed(db, below[0], ['attachment'], post.id);
  };

  const pathOf = (post: Post, slug: string): string => structure.pathOf(post, slug).replace(/\/$/, '').toLowerCase();

  const sluggedPost = async (slug: string) => (await findNamed(db, slug, ['post'])) ?? findByOldSlug(db, slug);

  const atPath = async (parts: readonly string[]): Promise<Post | undefined> => {
    if (parts.length === 0) return findPost(db, await frontPage());
    const [first = '', second = ''] = parts;
    const own = kinds.type(first);
    if (own?.viewable && parts.length === 2 && !builtIn.has(first)) return findNamed(db, second, [first]);
    if (parts.length > deepest) return undefined;
    // Where a page and a post have one address, it is the page's.
    return structure.isLikePages ? ((await inTree(parts)) ?? ofPost(parts)) : ((await ofPost(parts)) ?? inTree(parts));
  };

  return async (address) => {
    const there = URL.canParse(address) ? new URL(address) : undefined;
    if (there?.host !== home.host || !/^https?:$/.test(there.protocol)) return undefined;
    const { pathname, searchParams } = there;
    if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
    const number = numbers.map((name) => searchParams.get(name)).find((value) => value !== null);
    if (typeof number === 'string') return /^\d{1,15}$/.test(number) ? findPost(db, Number(number)) : undefined;
    const parts = pathname.slice(base.length).toLowerCase().split('/').filter(Boolean);
    return atPath(parts);
  };
}

function findNamed(
  db: Needs['db'],
  slug: string,
  types: readonly string[],
  parent?: number,
): Promise<Post | undefined> {
  const found = db
    .selectFrom('posts')
    .select(columns)
    .where('slug', '=', slug)
    .where('type', 'in', types)
    .where('status', 'in', addressed);
  return (parent === undefined ? found : found.where('parent', '=', parent)).orderBy('id').executeTakeFirst();
}

async function findNumbered(db: Needs['db'], id: number): Promise<Post | undefined> {
  const post = await findPost(db, id);
  return post?.type === 'post' && addressed.includes(post.status) ? post : undefined;
}

async function findByOldSlug(db: Needs['db'], slug: string): Promise<Post | undefined> {
  const old = await db
    .selectFrom('old_slugs')
    .innerJoin('posts', 'posts.id', 'old_slugs.post_id')
    .select('posts.id')
    .where('old_slugs.slug', '=', slug)
    .where('posts.status', 'in', addressed)
    .orderBy('posts.id')
    .executeTakeFirst();
  return old && findPost(db, old.id);
}

/** Types that have a way of their own to name their records. */
const builtIn = new Set(['post', 'page', 'attachment']);
