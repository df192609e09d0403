// Terms where nothing is written: what would become of each, those before it among what is here.

import { postSlug } from '#lib/slug.ts';
import type { Reads } from '#store/handles.ts';
import { noName } from '../../content/terms/faults.ts';
import { findNamed } from '../../content/terms/rows.ts';
import { nameKeyOf, nameOf } from '../../content/terms/words.ts';
import type { MovingStore } from './tables.ts';
import type { TheirTerm } from './theirs.ts';

/** The number of the one that is the same; 0 for one that would be made by then, nothing for one that is new. */
export type Trying = (term: TheirTerm, isHierarchical: boolean) => Promise<number | undefined>;

const most = { names: 100_000, length: 500 };

/** Throws for one that nobody could make. */
export function createTrying(db: Reads<MovingStore>): Trying {
  const supposed = new Set<string>();
  const suppose = (key: string): void => {
    if (supposed.size < most.names && key.length <= most.length) supposed.add(key);
  };
  const bySlug = async (taxonomy: string, slug: string): Promise<number | undefined> => {
    if (slug === '') return undefined;
    return supposed.has(slugIn(taxonomy, slug)) ? 0 : (await findNamed(db, taxonomy, slug))?.id;
  };
  return async ({ taxonomy, ...term }, isHierarchical) => {
    const slug = postSlug(term.slug);
    const same = await bySlug(taxonomy, slug);
    if (same !== undefined) return same;
    const name = nameOf(term.name);
    if (name === '') throw noName();
    const above = isHierarchical ? postSlug(term.parent) : '';
    const parent = await bySlug(taxonomy, above);
    // One that is new is known by its slug.
    const place = { taxonomy, parent: parent === 0 ? above : (parent ?? 0), key: nameKeyOf(name) };
    if (supposed.has(JSON.stringify(place))) return 0;
    const named = await idNamed(db, place);
    if (named !== undefined) return named;
    suppose(JSON.stringify(place));
    if (slug !== '') suppose(slugIn(taxonomy, slug));
    return undefined;
  };
}

const slugIn = (taxonomy: string, slug: string): string => `${taxonomy}/${slug}`;

interface Place {
  readonly taxonomy: string;
  readonly parent: number | string;
  readonly key: string;
}

async function idNamed(db: Reads<MovingStore>, { taxonomy, parent, key }: Place): Promise<number | undefined> {
  if (typeof parent === 'string') return undefined;
  const named = db.selectFrom('terms').select('id').where('taxonomy', '=', taxonomy).where('name_key', '=', key);
  return (await named.where('parent', '=', parent).executeTakeFirst())?.id;
}
