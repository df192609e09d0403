// Terms come in the order of their numbers, and may lie below one with a higher number: those wait until it has come.
import { Lru } from '#lib/lru.ts';
import type { CarriedTerm, TheirTerm } from '../theirs.ts';
import { count, type Shown, shortText, text } from './shown.ts';

export interface Kind {
  readonly taxonomy: string;
  readonly base: string;
}

export const taxonomies: readonly Kind[] = [
  { taxonomy: 'category', base: 'categories' },
  { taxonomy: 'post_tag', base: 'tags' },
  { taxonomy: 'wp_pattern_category', base: 'wp_pattern_category' },
];

export const termFields = 'id,slug,name,description,parent';

export const carriedOf =
  (taxonomy: string) =>
  (record: Shown): CarriedTerm => ({ taxonomy, slug: shortText(record, 'slug'), name: shortText(record, 'name') });

type Unplaced = Omit<TheirTerm, 'parent'>;

/** A term, and the number of the one it lies below. */
export interface Below {
  readonly term: Unplaced;
  readonly parent: number;
}

export interface Sorter {
  /** Those that can be kept now, each with the slug of the one it lies below. */
  take(all: readonly Below[]): TheirTerm[];
  /** What waits in vain. */
  rest(): TheirTerm[];
}

/** Letters of those that wait, and how many that came are remembered. */
const most = { waiting: 4_000_000, come: 100_000 };

export function createSorter(): Sorter {
  const slugs = new Lru<number, string>(most.come);
  const waiting = new Map<number, Unplaced[]>();
  let weight = 0;

  const wait = ({ term, parent }: Below): void => {
    const others = waiting.get(parent);
    if (others) others.push(term);
    else waiting.set(parent, [term]);
    weight += weightOf(term);
  };
  /** With all that waited for it. */
  const place = (first: TheirTerm): TheirTerm[] => {
    const placed = [first];
    for (const term of placed) {
      slugs.set(term.id, term.slug);
      const below = waiting.get(term.id) ?? [];
      waiting.delete(term.id);
      for (const one of below) {
        weight -= weightOf(one);
        placed.push({ ...one, parent: term.slug });
      }
    }
    return placed;
  };
  const rest = (): TheirTerm[] => {
    const all = [...waiting.values()].flat().map((term) => ({ ...term, parent: '' }));
    waiting.clear();
    weight = 0;
    return all;
  };
  return {
    rest,
    take: (all) => {
      const ready: TheirTerm[] = [];
      for (const one of all) {
        const parent = one.parent === 0 ? '' : slugs.get(one.parent);
        if (parent === undefined) wait(one);
        else ready.push(...place({ ...one.term, parent }));
      }
      return weight > most.waiting ? [...ready, ...rest()] : ready;
    },
  };
}

const weightOf = ({ name, slug, description }: Unplaced): number =>
  100 + name.length + slug.length + description.length;

export const termOf =
  (taxonomy: string) =>
  (record: Shown): Below => ({
    term: {
      id: count(record, 'id'),
      taxonomy,
      slug: shortText(record, 'slug'),
      name: shortText(record, 'name'),
      description: text(record, 'description'),
    },
    parent: count(record, 'parent'),
  });
