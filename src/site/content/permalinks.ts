// The public addresses of what the site publishes, as readers and other sites know them.
import { type Addresses, structureOf, usualAddresses } from '#lib/permalink.ts';
import type { Reads } from '#store/handles.ts';
import { addressed, createAbove, createFinding, deepest, type PostsByNumber, pathIn } from './finding.ts';
import type { LinkedPost, PostLinks } from './posts/hooks.ts';
import type { Post } from './posts/post.ts';
import type { ContentTables } from './tables.ts';
import { withAbove } from './terms/rows.ts';
import type { Term } from './terms/term.ts';
import type { Kinds } from './types.ts';

type Sorting = Pick<Term, 'id' | 'taxonomy' | 'slug' | 'parent'>;

/** The public addresses of what the site publishes. */
export interface Permalinks extends PostLinks {
  /** With a placeholder where the slug stands, also for what has no address of its own yet. */
  templates(posts: readonly LinkedPost[]): Promise<Map<number, string>>;
  /** Of each term, by number: those above them are asked for at once. */
  ofTerms(terms: readonly Sorting[]): Promise<Map<number, string>>;
  ofAuthor(slug: string): string;
  /** Of all posts of a format. */
  ofFormat(format: string): string;
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

export function createPermalinks(needs: PermalinksNeeds): Permalinks {
  const { db, kinds, url, frontPage, addresses = usualAddresses } = needs;
  const structure = structureOf(addresses.post);
  if (structure === undefined) throw new TypeError(`${addresses.post} is not a valid pattern of post URLs.`);
  const above = createAbove(db, kinds);

  const plain = ({ id, type }: LinkedPost): string => {
    const name = plainNames[type];
    return name === undefined ? `${url}/?post_type=${type}&p=${id}` : `${url}/?${name}=${id}`;
  };

  const pretty = (post: LinkedPost, known: PostsByNumber, slug: string): string => {
    const { type, parent } = post;
    if (type === 'attachment') {
      const other = known.get(parent);
      if (other === undefined) return `${url}/${slug}/`;
      return isAddressed(other) ? `${pretty(other, known, other.slug).replace(/\/$/, '')}/${slug}/` : plain(post);
    }
    if (kinds.type(type)?.hierarchical) return `${url}/${pathIn(known, post, slug)}/`;
    if (structured.has(type)) return `${url}/${structure.pathOf(post, slug)}`;
    return `${url}/${type}/${slug}/`;
  };

  return {
    async of(posts) {
      const [known, front] = [await above(posts), await frontPage()];
      const address = (post: LinkedPost): string => {
        if (!isAddressed(post)) return plain(post);
        return post.type === 'page' && post.id === front ? `${url}/` : pretty(post, known, post.slug);
      };
      return new Map(posts.map((post) => [post.id, address(post)]));
    },

    async templates(posts) {
      const known = await above(posts);
      const template = (post: LinkedPost): string => {
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

    at: createFinding({ db, kinds, url, frontPage, above, structure }),
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

const isAddressed = ({ status }: LinkedPost): boolean => addressed.includes(status);

/** Of a term and what is above it, from the top; each stands there once. */
function slugsOf(term: Sorting, known: ReadonlyMap<number, Sorting>): string[] {
  const line = [term];
  for (let at = known.get(term.parent); at !== undefined && line.length < deepest; at = known.get(at.parent)) {
    if (line.some(({ id }) => id === at?.id)) break;
    line.unshift(at);
  }
  return line.map(({ slug }) => slug);
}
