// By what records were sorted elsewhere: a term with the same slug is the same.
import { Problem } from '#kernel/problem.ts';
import { Lru } from '#lib/lru.ts';
import { postSlug } from '#lib/slug.ts';
import type { Reads } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import { contentErrors } from '../../content/errors.ts';
import { insertTerm, termsLock } from '../../content/terms/add.ts';
import { findNamed, someTerms } from '../../content/terms/rows.ts';
import { longest, nameKeyOf, nameOf, tooLong, withSafeDescription } from '../../content/terms/term.ts';
import type { Taxonomy } from '../../content/types.ts';
import type { Became } from './arriving.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, inLots, type Run } from './run.ts';
import { clean } from './sound.ts';
import type { MovingStore, Writing } from './tables.ts';
import type { CarriedTerm, TheirTerm } from './theirs.ts';

/** Says what became of each; of a dry run, what would. Parents come before what lies below them. */
type AddTerms = (terms: readonly TheirTerm[]) => Promise<Outcome[]>;

const most = { names: 100_000, length: 500 };

/** Stores nothing, and takes into account what earlier terms would have added. */
function dryRun({ store: { db }, content: { kinds } }: Run['needs']): AddTerms {
  const supposed = new Set<string>();
  const suppose = (key: string): void => {
    if (supposed.size < most.names && key.length <= most.length) supposed.add(key);
  };
  const bySlug = async (taxonomy: string, slug: string): Promise<number | undefined> => {
    if (slug === '') return undefined;
    return supposed.has(slugIn(taxonomy, slug)) ? 0 : (await findNamed(db, taxonomy, slug))?.id;
  };
  const byName = async (place: Place): Promise<number | undefined> =>
    supposed.has(JSON.stringify(place)) ? 0 : idNamed(db, place);
  const outcomeOf = async (term: TheirTerm): Promise<Outcome> => {
    const { taxonomy } = term;
    const slug = postSlug(term.slug);
    const same = await bySlug(taxonomy, slug);
    if (same !== undefined) return sameAs(same);
    const name = nameOf(term.name);
    if (name === '') throw contentErrors.emptyTermName();
    const above = kinds.taxonomy(taxonomy)?.hierarchical ? postSlug(term.parent) : '';
    const parent = await bySlug(taxonomy, above);
    // One that is new is known by its slug.
    const place = { taxonomy, parent: parent === 0 ? above : (parent ?? 0), key: nameKeyOf(name) };
    const named = await byName(place);
    if (named !== undefined) return sameAs(named);
    suppose(JSON.stringify(place));
    if (slug !== '') suppose(slugIn(taxonomy, slug));
    const { fault } = soundOf(term);
    return fault === undefined ? { what: 'made' } : { what: 'failed', fault };
  };
  return async (terms) => {
    const outcomes: Outcome[] = [];
    for (const term of terms) outcomes.push(await outcomeOf(term).catch((error) => failed(term, error)));
    return outcomes;
  };
}

/** 0 stands for a term that an earlier one would have added. */
const sameAs = (id: number): Outcome => ({ what: 'same', id: id === 0 ? undefined : id });

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

export interface Sorting {
  terms(terms: readonly TheirTerm[]): Promise<readonly Became[]>;
  /** What a record carries, by taxonomy: each is here already, or made now. */
  carried(all: readonly (readonly CarriedTerm[])[]): Promise<readonly Record<string, number[]>[]>;
}

/** Ids here are kept up to this: what is new gets higher ones, and programs count no further than 2 ** 31. */
export const highestKept = 2_000_000_000;
const atOnce = 200;
/** Terms that are remembered. */
const mostKnown = 100_000;
/** Longer names are not remembered: there may be nothing else. */
const longestKnown = 500;

/** One as it would be kept: whoever brings it, its description is filtered as that of every term is. */
interface Sound {
  readonly term: TheirTerm;
  readonly description: string;
  readonly fault?: Fault;
}

function soundOf(term: TheirTerm): Sound {
  try {
    if ([...term.name.slice(0, 2 * longest.name + 1)].length > longest.name) throw tooLong('name', longest.name);
    return { term, description: withSafeDescription({ description: clean(term.description) }).description };
  } catch (error) {
    return { term, description: '', fault: faultOf(error, term, term.name || term.slug) };
  }
}

interface Outcome extends Became {
  readonly fault?: Fault;
}

/** Few terms are carried by many records: what their slugs are is looked up. */
const slugs = new Lru<string, string>(1_000);

function slugOf({ slug, name }: Pick<CarriedTerm, 'slug' | 'name'>): string {
  const said = `${slug}\n${name}`;
  if (said.length > longestKnown) return postSlug(slug) || postSlug(name);
  const known = slugs.get(said) ?? (postSlug(slug) || postSlug(name));
  slugs.set(said, known);
  return known;
}

const keyOf = (term: CarriedTerm): string => `${term.taxonomy} ${slugOf(term)}`;

export function createSorting({ needs, options, report }: Run): Sorting {
  const { store, content } = needs;
  const known = new Map<string, number>();
  const told = new Set<string>();
  const addTerms = options.dryRun ? dryRun(needs) : storing(needs, options);

  const remember = (term: CarriedTerm, id: number): void => {
    if (known.size < mostKnown) known.set(keyOf(term), id);
  };
  const isKind = ({ taxonomy }: CarriedTerm): boolean => content.kinds.taxonomy(taxonomy) !== undefined;

  const conclude = (term: TheirTerm, { what, id, fault }: Outcome): void => {
    // In a dry run a new term counts as known, though it has no number.
    if (what === 'made' || what === 'same') remember(term, id ?? 0);
    report.term(countedAs[what]);
    if (fault !== undefined) report.fault(fault);
  };

  const terms = async (all: readonly TheirTerm[]): Promise<readonly Became[]> => {
    const became = new Map<TheirTerm, Outcome>();
    const { inOrder, cycles } = parentsFirst(all.filter(isKind));
    for (const some of inLots(inOrder, atOnce)) {
      const outcomes = await addTerms(some);
      for (const [at, term] of some.entries()) became.set(term, outcomes[at]!);
    }
    for (const term of cycles) report.fault({ ...cycleOf(term) });
    const outcomes = all.map((term) => became.get(term) ?? skipped);
    for (const [at, term] of all.entries()) conclude(term, outcomes[at]!);
    return outcomes;
  };

  /** Told once each, however many carry it. */
  const passOver = (term: CarriedTerm): void => {
    const key = keyOf(term);
    if (told.has(key) || told.size >= mostKnown) return;
    if (key.length <= longestKnown) told.add(key);
    report.term('skipped');
  };

  return {
    terms,
    async carried(all) {
      for (const term of all.flat()) if (!isKind(term)) passOver(term);
      const wanted = all.map((some) => some.filter(isKind));
      const isUnknown = (term: CarriedTerm) => !known.has(keyOf(term));
      for await (const { id, taxonomy, slug } of termsHere(store.db, wanted.flat().filter(isUnknown)))
        remember({ taxonomy, slug, name: '' }, id);
      const lacking = new Map(wanted.flat().flatMap((one) => (isUnknown(one) ? [[keyOf(one), one]] : [])));
      if (lacking.size > 0) await terms([...lacking.values()].map(bare));
      return wanted.map((some) => idsByTaxonomy(some, known));
    },
  };
}

const failed = (term: TheirTerm, error: unknown): Outcome => ({
  what: 'failed',
  fault: faultOf(error, term, term.name || term.slug),
});

const skipped: Outcome = { what: 'skipped' };
const countedAs = { made: 'created', failed: 'failed', same: 'skipped', skipped: 'skipped' } as const;

const storing =
  ({ store, content: { kinds } }: Run['needs'], { keepTermIds }: Run['options']): AddTerms =>
  (terms) => {
    const sound = terms.map(soundOf);
    return store.write(async (tx, during) => {
      await during.lock(termsLock);
      const outcomes: Outcome[] = [];
      for (const one of sound)
        outcomes.push(await findOrAdd(tx, during, kinds.taxonomy(one.term.taxonomy)!, one, keepTermIds));
      return outcomes;
    }, bounds);
  };

/** A term with the same slug, or the same name below the same parent, is the one that is meant. */
async function findOrAdd(
  tx: Writing,
  during: During,
  taxonomy: Taxonomy,
  { term, description, fault }: Sound,
  keepId: boolean,
): Promise<Outcome> {
  const slug = postSlug(term.slug);
  const same = slug === '' ? undefined : await findNamed(tx, taxonomy.name, slug);
  if (same !== undefined) return { what: 'same', id: same.id };
  if (fault !== undefined) return { what: 'failed', fault };
  const above = taxonomy.hierarchical ? postSlug(term.parent) : '';
  const parent = above === '' ? undefined : await findNamed(tx, taxonomy.name, above);
  const id = keepId ? await freeId(tx, during, term.id) : undefined;
  const input = { name: term.name, description, slug, parent: parent?.id ?? 0 };
  try {
    return { what: 'made', id: (await during.apart(() => insertTerm(tx, taxonomy, input, id))).id };
  } catch (error) {
    const there = sameName(error);
    if (there !== undefined) return { what: 'same', id: there };
    return failed(term, error);
  }
}

async function* termsHere(db: Reads<MovingStore>, carried: readonly CarriedTerm[]) {
  for (const [taxonomy, some] of Map.groupBy(carried, (one) => one.taxonomy)) {
    const slugs = [...new Set(some.map(slugOf))].filter(Boolean);
    for (const lot of inLots(slugs, atOnce)) {
      const rows = db.selectFrom('terms').select(['id', 'slug', 'taxonomy']).where('taxonomy', '=', taxonomy);
      yield* await rows.where('slug', 'in', lot).execute();
    }
  }
}

function idsByTaxonomy(terms: readonly CarriedTerm[], known: ReadonlyMap<string, number>): Record<string, number[]> {
  const ids: Record<string, number[]> = {};
  for (const term of terms) {
    const id = known.get(keyOf(term));
    if (id !== undefined) ids[term.taxonomy] = [...new Set([...(ids[term.taxonomy] ?? []), id])];
  }
  return ids;
}

const bare = ({ taxonomy, slug, name }: CarriedTerm): TheirTerm => ({
  id: 0,
  taxonomy,
  slug,
  name: name || slug,
  description: '',
  parent: '',
});

async function freeId(tx: Writing, { numberAbove }: During, id: number): Promise<number | undefined> {
  if (!(Number.isSafeInteger(id) && id > 0 && id <= highestKept)) return undefined;
  if ((await someTerms(tx, [id])).has(id)) return undefined;
  await numberAbove('terms', id);
  return id;
}

const sameName = (error: unknown): number | undefined =>
  error instanceof Problem && error.code === 'term_exists'
    ? (error.details as { term_id?: number }).term_id
    : undefined;

const cycleOf = ({ line, id, name, slug }: TheirTerm): Fault => ({
  ...(line !== undefined && { line }),
  id,
  title: name || slug,
  code: 'cycle',
  message: 'It is its own parent, so it was imported without a parent.',
});

/** Those that lie below themselves have the one that comes first at the top. */
function parentsFirst(all: readonly TheirTerm[]): { inOrder: TheirTerm[]; cycles: TheirTerm[] } {
  const bySlug = new Map(all.map((term) => [keyOf(term), term]));
  const state = new Map<TheirTerm, 'open' | 'done'>();
  const [inOrder, cycles]: [TheirTerm[], TheirTerm[]] = [[], []];
  for (const first of all) {
    // Up to the one that is in order already, then down again: not by calls, for a line may be as long as the file.
    const line: TheirTerm[] = [];
    for (let term: TheirTerm | undefined = first; term !== undefined; ) {
      if (state.get(term) === 'done') break;
      if (state.get(term) === 'open') {
        cycles.push(term);
        break;
      }
      state.set(term, 'open');
      line.push(term);
      term = term.parent === '' ? undefined : bySlug.get(keyOf({ ...term, slug: term.parent }));
    }
    for (const term of line.reverse()) {
      state.set(term, 'done');
      inOrder.push(term);
    }
  }
  return { inOrder, cycles };
}
