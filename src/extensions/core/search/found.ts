// What is found in everything that the site publishes, whatever kind of thing it is.

import type { Asker } from '#kernel/schema.ts';
import { fold } from '#lib/fold.ts';
import type { Content } from '#site/content/content.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import type { Term } from '#site/content/terms/term.ts';
import type { Taxonomy } from '#site/content/types.ts';
import { formats } from '../posts/fields.ts';
import { narrowedFor } from '../posts/refusals.ts';

export interface Found {
  readonly id: number | string;
  readonly title: string;
  readonly url: string;
  readonly type: string;
  readonly subtype?: string;
  /** Where the interface has it, and what it is there. */
  readonly self?: string;
  readonly about?: string;
}

export interface Asked {
  readonly search: string;
  readonly asker: Asker;
  /** All of them, without one. */
  readonly subtypes: readonly string[] | undefined;
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly limit: number;
  readonly offset: number;
}

interface Results {
  readonly items: readonly Found[];
  readonly total: number;
}

interface Needs {
  readonly content: Pick<Content, 'posts' | 'rights' | 'unseen' | 'terms' | 'permalinks' | 'rendering' | 'kinds'>;
}

export type Search = ReturnType<typeof createSearch>;

export function createSearch({ content }: Needs) {
  const { posts, terms, permalinks, rendering, kinds } = content;

  return {
    async posts({ subtypes, search, asker, ...asked }: Asked): Promise<Results> {
      const types = kinds.types.filter(({ name, viewable }) => viewable && name !== 'attachment');
      const among = types.filter(({ name }) => subtypes?.includes(name) ?? true);
      const statuses = ['publish'];
      const by: Pick<Wanted, 'orderBy' | 'search' | 'searchOpen' | 'ownOnly'> =
        search.trim() === ''
          ? { orderBy: 'date' }
          : { orderBy: 'relevance', search, ...narrowedFor(asker, { search, statuses }, among, content) };
      const wanted = among.map(({ name }) => name);
      const list = await posts.list({ ...asked, ...by, types: wanted, statuses, order: 'desc' });
      const links = await permalinks.of(list.items);
      const items = list.items.map(({ id, title, type }) => ({
        id,
        title: rendering.title(title),
        url: links.get(id) ?? '',
        type: 'post',
        subtype: type,
        self: `/core/v2/${kinds.type(type)!.base}/${id}`,
        about: `/core/v2/types/${type}`,
      }));
      return { items, total: list.total };
    },

    /** Of one taxonomy after the other, each by name. */
    async terms({ subtypes, limit, offset, ...asked }: Asked): Promise<Results> {
      const wanted = kinds.taxonomies.filter((one) => one.public && (subtypes?.includes(one.name) ?? true));
      const items: Found[] = [];
      let total = 0;
      for (const taxonomy of wanted) {
        const left = Math.max(limit - items.length, 0);
        const page = { limit: Math.max(left, 1), offset: Math.max(offset - total, 0) };
        const by = { order: 'asc', orderBy: 'name' } as const;
        const list = await terms.list({ ...asked, ...page, ...by, taxonomy: taxonomy.name });
        items.push(...(await ofTerms(list.items.slice(0, left), taxonomy, permalinks)));
        total += list.total;
      }
      return { items, total };
    },

    async formats({ search, limit, offset }: Asked): Promise<Results> {
      const term = fold(search.trim());
      const named = formats.filter((name) => name !== 'standard' && name.includes(term));
      const items = named.slice(offset, offset + limit).map((id) => ({
        id,
        title: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
        url: permalinks.ofFormat(id),
        type: 'post-format',
      }));
      return { items, total: named.length };
    },
  };
}

async function ofTerms(
  some: readonly Term[],
  { base, name }: Taxonomy,
  permalinks: Content['permalinks'],
): Promise<Found[]> {
  const links = await permalinks.ofTerms(some);
  return some.map((term) => ({
    id: term.id,
    title: term.name,
    url: links.get(term.id) ?? '',
    type: name,
    self: `/core/v2/${base}/${term.id}`,
    about: `/core/v2/taxonomies/${name}`,
  }));
}
