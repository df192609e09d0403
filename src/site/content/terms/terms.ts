// Terms: by what records are sorted. Each write of one waits for the others: slugs and places are decided by looking at all.
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Events } from '../../platform/events.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import { type ContentTables, namesTopic } from '../tables.ts';
import { category, type Kinds, type Taxonomy } from '../types.ts';
import { insertTerm } from './add.ts';
import { termsOf } from './carried.ts';
import { changeTerm } from './change.ts';
import { createDefaultCategory } from './default-category.ts';
import { eraseTerm } from './erase.ts';
import { noSuchTerm, standing } from './faults.ts';
import { isAllCarried, listTerms } from './list.ts';
import { insertMany } from './many.ts';
import { findNamed, findTerm, someTerms, withAbove, withBelow } from './rows.ts';
import { termsLock } from './slugs.ts';
import type { Term, Terms, WantedTerms } from './term.ts';
import { withSafeDescription } from './words.ts';

interface Needs {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly kinds: Kinds;
  readonly events: Events;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
}

/** Records without number may carry what is deleted. */
const erasing = { limit: 120_000 };

export function createTerms(needs: Needs): Terms {
  const { db } = needs.store;
  const some = needs.store.gathered((ids) => someTerms(db, ids));
  const of = needs.store.gathered((posts) => termsOf(db, posts));
  const find = async (id: number) => (await some([id])).get(id);
  const defaultCategory = createDefaultCategory(needs);
  const carried = async ({ taxonomy, limit }: WantedTerms, post: number) => {
    const all = (await of([post])).get(post)?.[taxonomy] ?? [];
    return { items: all.slice(0, limit), total: all.length };
  };
  return {
    find,
    async get(id, taxonomy) {
      const term = there(await find(id));
      if (term.taxonomy !== taxonomy) throw noSuchTerm();
      return term;
    },
    named: (taxonomy, slug) => findNamed(db, taxonomy, slug),
    list: (wanted) => (isAllCarried(wanted) ? carried(wanted, wanted.post) : listTerms(db, wanted)),
    ...writing(needs, defaultCategory.get),
    withBelow: (ids) => withBelow(db, ids),
    withAbove: (ids) => withAbove(db, ids),
    of,
    defaultCategory: defaultCategory.get,
    findDefaultCategory: defaultCategory.find,
  };
}

const there = (term: Term | undefined): Term => {
  if (term === undefined) throw noSuchTerm();
  return term;
};

function writing({ store, kinds, events }: Needs, defaultCategory: () => Promise<number>) {
  const kindOf = (name: string): Taxonomy => {
    const taxonomy = kinds.taxonomy(name);
    if (taxonomy === undefined) throw new Error(`Nobody declared the taxonomy ${name}.`);
    return taxonomy;
  };
  return {
    async add(taxonomy, said, { again }) {
      const safe = withSafeDescription(said);
      const term = await store.write(async (tx, { lock }) => {
        await lock(termsLock);
        await again?.(tx, undefined);
        return insertTerm(tx, kindOf(taxonomy), safe);
      });
      events.emit('term.created', { term });
      return term;
    },
    async addMany(taxonomy, all, { again }) {
      const safe = all.map(withSafeDescription);
      const terms = await store.write(async (tx, { lock }) => {
        await lock(termsLock);
        await again?.(tx, undefined);
        return insertMany(tx, kindOf(taxonomy), safe);
      });
      for (const term of terms) events.emit('term.created', { term });
      return terms;
    },
    async change({ id }, said, { again }) {
      const safe = withSafeDescription(said);
      const { before, term } = await store.write(async (tx, { lock, changed }) => {
        await lock(termsLock);
        const found = there(await findTerm(tx, id));
        await again?.(tx, found);
        changed(namesTopic);
        return { before: found, term: await changeTerm(tx, kindOf(found.taxonomy), found, safe) };
      });
      events.emit('term.changed', { term, before });
      return term;
    },
    async erase({ id, taxonomy }, { again }) {
      const instead = taxonomy === category.name ? await defaultCategory() : undefined;
      if (id === instead) throw standing();
      const term = await store.write(async (tx, { lock, changed }) => {
        await lock(termsLock);
        const found = there(await findTerm(tx, id));
        await again?.(tx, found);
        changed(namesTopic);
        await eraseTerm(tx, found, instead);
        return found;
      }, erasing);
      events.emit('term.deleted', { term });
      return term;
    },
  } satisfies Pick<Terms, 'add' | 'addMany' | 'change' | 'erase'>;
}
