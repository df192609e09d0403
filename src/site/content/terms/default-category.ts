// The category of posts without one: what the setting names. A site that has none gets one; it cannot be deleted.
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { ContentTables, TermsTable } from '../tables.ts';
import { category } from '../types.ts';
import { insertTerm, termsLock } from './add.ts';
import { findNamed, findTerm } from './rows.ts';
import type { Term } from './term.ts';

const usual = { name: 'Uncategorized', slug: 'uncategorized' };

interface DefaultCategory {
  /** Its number; nothing where there is none yet. */
  find(): Promise<number | undefined>;
  /** Made when it is not there. */
  get(): Promise<number>;
}

interface Needs {
  readonly store: Store<ContentTables & TotalsTables>;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
}

export function createDefaultCategory({ store, settings, siteGroup }: Needs): DefaultCategory {
  const wanted = async (): Promise<number> => (await settings.read(siteGroup)).default_category;
  const make = (id: number): Promise<Term> =>
    store.write(async (tx, { lock }) => {
      await lock(termsLock);
      return (await standingFor(tx, id)) ?? insertTerm(tx, category, usual);
    });
  const standing = store.gathered(async (wished) => {
    const found = await Promise.all(wished.map((id) => standingFor(store.db, id)));
    return new Map(wished.map((id, at) => [id, found[at]?.id]));
  });
  return {
    find: async () => {
      const id = await wanted();
      return (await standing([id])).get(id);
    },
    get: async () => {
      const id = await wanted();
      return ((await standingFor(store.db, id)) ?? (await make(id))).id;
    },
  };
}

/** A setting that names nothing leaves it to the usual one. */
async function standingFor(db: Reads<{ terms: TermsTable }>, id: number): Promise<Term | undefined> {
  const named = await findTerm(db, id);
  return named?.taxonomy === category.name ? named : findNamed(db, category.name, usual.slug);
}
