// The public addresses of what the site publishes, as readers and other sites know them.
import { type Addresses, structureOf, usualAddresses } from '#lib/permalink.ts';
import type { Reads } from '#store/handles.ts';
import { addressed, createFinding } from './finding.ts';
import type { Post } from './posts/post.ts';
import type { ContentTables } from './tables.ts';
import { withAbove } from './terms/rows.ts';
import type { Term } from './terms/term.ts';
import type { Kinds } from './types.ts';

type Placed = Pick<Post, 'id' | 'type' | 'status' | 'slug' | 'date' | 'parent'>;

type Sorting = Pick<Term, 'id' | 'taxonomy' | 'slug' | 'parent'>;

/** The public addresses of what the site publishes. */
export interface Permalinks {
  /** Of each record, by number: those that lie below others need to know them, so all are asked for at once. */
  of(posts: readonly Placed[]): Promise<Map<number, string>>;
  /** With a placeholder where the slug stands, also for what has no address of its own yet. */
  templates(posts: readonly Placed[]): Promise<Map<number, string>>;
  /** Of each term, by number: those above them are asked for at once. */
  ofTerms(terms: readonly Sorting[]): Promise<Map<number, string>>;
  ofAuthor(slug: string): string;
  /** Of all posts of a format. */
  ofFormat(format: string): string;
  /** Whether addresses tell the number of a record, which it has once it is kept. */
  readonly areNumbered: boolean;
  /** The record behind an address of this site, in any form it answers; nothing for any other address. */
  at(url: string): Promise<Post | undefined>;
}

interface PermalinksNeeds {
  readonly db: Reads<ContentTables>;
  readonly kinds: Kinds;
  /** The public base address of the site. */
  readonly url: string;
  readonly addresses?: Addresses;
  /** The page that is the front page, 0 without one. */
  frontPage(): number | Promise<number>;
}

const placed = ['id', 'type', 'status', 'slug', 'date', 'parent'] as const;

/** Deeper trees, and those that bite their own tail, end here. */
const deepest = 30;

export function createPermalinks(needs: PermalinksNeeds): Permalinks {
  const { db, kinds, url, frontPage, addresses = usualAddresses } = needs;
  const structure = structureOf(addresses.post);
  if (structure === undefined) throw new TypeError(`Posts can have no addresses like ${addresses.post}.`);
  /** What lies above these, as far up as their addresses say. */
  const above = async (posts: readonly Placed[]): Promise<Map<number, Placed>> => {
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

  const isBelow = ({ type, parent }: Placed): boolean =>
    parent !== 0 && (type === 'attachment' || kinds.type(type)?.hierarchical === true);

  const plain = ({ id, type }: Placed): string => {
    const name = plainNames[type];
    return name === undefined ? `${url}/?post_type=${type}&p=${id}` : `${url}/?${name}=${id}`;
  };

  /** Those of the tree that are above a record, from the top; a record stands there once. */
  const pathOf = (post: Placed, known: ReadonlyMap<number, Placed>, slug: string): string => {
    const slugs = [slug];
    const seen = new Set([post.id]);
    for (let at = known.get(post.parent); at !== undefined && !seen.has(at.id); at = known.get(at.parent)) {
      seen.add(at.id);
      slugs.unshift(at.slug);
    }
    return `${url}/${slugs.join('/')}/`;
  };

  const pretty = (post: Placed, known: ReadonlyMap<number, Placed>, slug: string): string => {
    const { type, parent } = post;
    if (type === 'attachment') {
      const other = known.get(parent);
      if (other === undefined) return `${url}/${slug}/`;
      return isAddressed(other) ? `${pretty(other, known, other.slug).replace(/\/$/, '')}/${slug}/` : plain(post);
    }
    if (kinds.type(type)?.hierarchical) return pathOf(post, known, slug);
    if (structured.has(type)) return `${url}/${structure.pathOf(post, slug)}`;
    return `${url}/${type}/${slug}/`;
  };

  return {
    async of(posts) {
      const [known, front] = [await above(posts), await frontPage()];
      const address = (post: Placed): string => {
        if (!isAddressed(post)) return plain(post);
        return post.type === 'page' && post.id === front ? `${url}/` : pretty(post, known, post.slug);
      };
      return new Map(posts.map((post) => [post.id, address(post)]));
    },

    async templates(posts) {
      const known = await above(posts);
      const template = (post: Placed): string => {
        const isFree = post.type === 'attachment' && !known.has(post.parent);
        if (post.status === 'trash' || isFree) return plain(post);
        return pretty(post, known, kinds.type(post.type)?.hierarchical ? '%pagename%' : '%postname%');
      };
      return new Map(posts.map((post) => [post.id, template(post)]));
    },

    async ofTerms(terms) {
      const termBases: Readonly<Record<string, string>> = { category: addresses.category, post_tag: addresses.tag };
      const above = terms.filter(({ taxonomy, parent }) => parent !== 0 && taxonomy in termBases);
      const known = await withAbove(db, [...new Set(above.map(({ parent }) => parent))]);
      const byNumber = new Map(known.map((term) => [term.id, term]));
      const address = (term: Sorting): string => {
        const base = termBases[term.taxonomy];
        if (base === undefined) return `${url}/?taxonomy=${term.taxonomy}&term=${term.slug}`;
        return `${url}/${[base, ...slugsOf(term, byNumber)].join('/')}/`;
      };
      return new Map(terms.map((term) => [term.id, address(term)]));
    },

    ofAuthor: (slug) => `${url}/${addresses.author}/${encodeURIComponent(slug)}/`,

    ofFormat: (format) => `${url}/${addresses.format}/${format}/`,

    areNumbered: structure.isNumbered,

    at: createFinding({ db, kinds, url, frontPage, deepest, structure }),
  };
}

/** In a query; other types say which they are. */
const plainNames: Readonly<Record<string, string>> = {
  post: 'p',
  page: 'page_id',
  attachment: 'attachment_id',
  wp_block: 'p',
  wp_navigation: 'p',
};

/** Types whose addresses are put together as those of posts. */
const structured = new Set(['post', 'wp_block', 'wp_navigation']);

const isAddressed = ({ status }: Placed): boolean => addressed.includes(status);

/** Of a term and what is above it, from the top; each stands there once. */
function slugsOf(term: Sorting, known: ReadonlyMap<number, Sorting>): string[] {
  const line = [term];
  for (let at = known.get(term.parent); at !== undefined && line.length < deepest; at = known.get(at.parent)) {
    if (line.some(({ id }) => id === at?.id)) break;
    line.unshift(at);
  }
  return line.map(({ slug }) => slug);
}
