// By what records were sorted elsewhere: a term with the same slug is the same.
import { Problem } from '#kernel/problem.ts';
import { Lru } from '#lib/lru.ts';
import { postSlug } from '#lib/slug.ts';
import type { Reads } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import { insertTerm } from '../../content/terms/add.ts';
import { noName, tooLong } from '../../content/terms/faults.ts';
import { findNamed, someTerms } from '../../content/terms/rows.ts';
import { termsLock } from '../../content/terms/slugs.ts';
import { longest, nameKeyOf, nameOf, withSafeDescription } from '../../content/terms/words.ts';
import type { Became } from './arriving.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, inLots, type Run } from './run.ts';
import { clean } from './sound.ts';
import type { MovingStore, Writing } from './tables.ts';
import type { CarriedTerm, TheirTerm } from './theirs.ts';

/** The number of the one that is the same; 0 for one that would be made by then, nothing for one that is new. */
type Trying = (term: TheirTerm, isHierarchical: boolean) => Promise<number | undefined>;

const most = { names: 100_000, length: 500 };

/** Throws for one that nobody could make. */
function createTrying(db: Reads<MovingStore>): Trying {
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
  const trying = createTrying(store.db);

  const remember = (term: CarriedTerm, id: number | undefined): void => {
    if (id !== undefined && known.size < mostKnown) known.set(keyOf(term), id);
  };
  const isKind = ({ taxonomy }: CarriedTerm): boolean => content.kinds.taxonomy(taxonomy) !== undefined;

  const make = async (tx: Writing, during: During, { term, description, fault }: Sound): Promise<Outcome> => {
    const taxonomy = content.kinds.taxonomy(term.taxonomy)!;
    const slug = postSlug(term.slug);
    const same = slug === '' ? undefined : await findNamed(tx, taxonomy.name, slug);
    if (same !== undefined) return { what: 'same', id: same.id };
    if (fault !== undefined) return { what: 'failed', fault };
    const above = taxonomy.hierarchical && term.parent !== '' ? postSlug(term.parent) : '';
    const parent = above === '' ? undefined : await findNamed(tx, taxonomy.name, above);
    const id = options.keepTermIds ? await freeId(tx, during, term.id) : undefined;
    const { name } = term;
    try {
      const said = { name, description, slug, parent: parent?.id ?? 0 };
      return { what: 'made', id: (await during.apart(() => insertTerm(tx, taxonomy, said, id))).id };
    } catch (error) {
      const there = sameName(error);
      if (there !== undefined) return { what: 'same', id: there };
      return { what: 'failed', fault: faultOf(error, term, name || term.slug) };
    }
  };

  const keep = async (some: readonly TheirTerm[]): Promise<Outcome[]> => {
    if (options.dryRun) return looked(some);
    const sound = some.map(soundOf);
    return store.write(async (tx, during) => {
      await during.lock(termsLock);
      const outcomes: Outcome[] = [];
      for (const one of sound) outcomes.push(await make(tx, during, one));
      return outcomes;
    }, bounds);
  };

  /** What would become of them. */
  const looked = async (some: readonly TheirTerm[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const term of some) outcomes.push(await lookedAt(term));
    return outcomes;
  };

  const lookedAt = async (term: TheirTerm): Promise<Outcome> => {
    const { fault } = soundOf(term);
    try {
      const id = await trying(term, content.kinds.taxonomy(term.taxonomy)?.hierarchical === true);
      if (id === undefined && fault !== undefined) return { what: 'failed', fault };
      // It counts as known, or whatever carries it would count it again.
      remember(term, id ?? 0);
      return id === undefined ? { what: 'made' } : { what: 'same', ...(id > 0 && { id }) };
    } catch (error) {
      return { what: 'failed', fault: faultOf(error, term, term.name || term.slug) };
    }
  };

  const terms = async (all: readonly TheirTerm[]): Promise<readonly Became[]> => {
    const became = new Map<TheirTerm, Outcome>();
    const { inOrder, cycles } = parentsFirst(all.filter(isKind));
    for (const some of inLots(inOrder, atOnce)) {
      const outcomes = await keep(some);
      for (const [at, term] of some.entries()) became.set(term, outcomes[at]!);
    }
    for (const term of cycles) report.fault({ ...cycleOf(term) });
    for (const term of all) {
      const { what, id, fault } = became.get(term) ?? { what: 'skipped' as const };
      remember(term, id);
      report.term(what === 'made' ? 'created' : what === 'failed' ? 'failed' : 'skipped');
      if (fault !== undefined) report.fault(fault);
    }
    return all.map((term) => became.get(term) ?? { what: 'skipped' });
  };

  /** Numbers of those that are not remembered, by taxonomy. */
  const recall = async (some: readonly CarriedTerm[]): Promise<void> => {
    const asked = Map.groupBy(
      some.filter((one) => !known.has(keyOf(one))),
      ({ taxonomy }) => taxonomy,
    );
    for (const [taxonomy, ones] of asked) {
      const slugs = [...new Set(ones.map(slugOf))].filter(Boolean);
      for (const lot of inLots(slugs, atOnce)) {
        const rows = store.db.selectFrom('terms').select(['id', 'slug']).where('taxonomy', '=', taxonomy);
        for (const { id, slug } of await rows.where('slug', 'in', lot).execute())
          remember({ taxonomy, slug, name: '' }, id);
      }
    }
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
      await recall(wanted.flat());
      const lacking = new Map(wanted.flat().flatMap((one) => (known.has(keyOf(one)) ? [] : [[keyOf(one), one]])));
      if (lacking.size > 0) await terms([...lacking.values()].map(bare));
      return wanted.map((some) => {
        const ids: Record<string, number[]> = {};
        for (const term of some) {
          const id = known.get(keyOf(term));
          if (id !== undefined) ids[term.taxonomy] = [...new Set([...(ids[term.taxonomy] ?? []), id])];
        }
        return ids;
      });
    },
  };
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
  message: 'It lies below itself, so it was placed at the top.',
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
