// Terms: by what records are sorted. Each write of one waits for the others: slugs and places are decided by looking at all.

import { type ExpressionBuilder, sql } from 'kysely';
import { postSlug } from '#lib/slug.ts';
import type { Reads } from '#store/handles.ts';
import { built } from '#store/statements.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Events } from '../../platform/events.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import { count, type TotalsTables } from '../../platform/totals.ts';
import { contentErrors } from '../errors.ts';
import { metaRows } from '../meta.ts';
import { type ContentTables, namesTopic, totalTopics, type Writing } from '../tables.ts';
import { category, type Kinds, type Taxonomy } from '../types.ts';
import { freeSlug, insertTerm, isBelow, parentFor, termsLock } from './add.ts';
import { createDefaultCategory } from './default-category.ts';
import { isAllCarried, listTerms } from './list.ts';
import { columns, findNamed, findTerm, held, someTerms, withAbove, withBelow } from './rows.ts';
import {
  nameKeyOf,
  nameOf,
  type OneOfMany,
  type Term,
  type TermSaid,
  type Terms,
  type WantedTerms,
  withSafeDescription,
} from './term.ts';

// Making many terms of one kind in one write, which has all terms to itself. A name that there is already gets a number.

async function insertMany(tx: Writing, taxonomy: Taxonomy, all: readonly OneOfMany[]): Promise<Term[]> {
  const made: Term[] = [];
  for (const { description, parentAmong, metaOf, ...one } of all) {
    const name = await freeName(tx, taxonomy, one.name);
    const parent = parentAmong(made.map(({ id }) => id));
    const term = await insertTerm(tx, taxonomy, { name, description, parent });
    const rows = metaRows(metaOf(term)).map((row) => ({ term_id: term.id, ...row }));
    if (rows.length > 0) await tx.insertInto('term_meta').values(rows).execute();
    made.push(term);
  }
  return made;
}

/** Nobody else's, wherever in the tree. */
async function freeName(tx: Writing, { name: taxonomy }: Taxonomy, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    const same = tx.selectFrom('terms').select('id').where('taxonomy', '=', taxonomy);
    const found = await same
      .where('name_key', '=', nameKeyOf(nameOf(name)))
      .limit(1)
      .executeTakeFirst();
    if (found === undefined) return name;
  }
}

// Deleting a term for good. What carried it lies in as many rows as there are records, so each step is one statement.

/** `instead` is what records get that carry nothing else of its kind. */
async function eraseTerm(tx: Writing, term: Term, instead: number | undefined): Promise<void> {
  const { id, taxonomy, parent } = term;
  const there = await held(tx, instead === undefined ? { [id]: 0 } : { [id]: 0, [instead]: 0 });
  if (instead !== undefined && there.has(instead)) await handOver(tx, term, instead);
  await tx.deleteFrom('post_terms').where('term_id', '=', id).execute();
  await tx.deleteFrom('term_meta').where('term_id', '=', id).execute();
  // All keys that begin with its number and a slash.
  await tx
    .deleteFrom('totals')
    .where('topic', '=', totalTopics.terms)
    .where('key', '>', `${id}/`)
    .where('key', '<', `${id}0`)
    .execute();
  await tx.updateTable('terms').set({ parent }).where('taxonomy', '=', taxonomy).where('parent', '=', id).execute();
  await tx.deleteFrom('terms').where('id', '=', id).execute();
  await count(tx, totalTopics.taxonomies, { [taxonomy]: -1 });
}

async function handOver(tx: Writing, { id, taxonomy }: Term, instead: number): Promise<void> {
  const lonely = tx
    .selectFrom('post_terms as mine')
    .where('mine.term_id', '=', id)
    .where((mine) => mine.not(mine.exists(others(mine, taxonomy, id))));
  const groups = await lonely
    .select(['mine.type', 'mine.status', (mine) => mine.fn.countAll<number>().as('records')])
    .groupBy(['mine.type', 'mine.status'])
    .execute();
  if (groups.length === 0) return;
  const kept = ['post_id', 'taxonomy', 'type', 'status', 'date'] as const;
  await tx
    .insertInto('post_terms')
    .columns(['term_id', ...kept])
    .expression(
      lonely.select([sql<number>`${instead}`.as('term_id'), ...kept.map((column) => `mine.${column}` as const)]),
    )
    .execute();
  const published = groups.filter(({ status }) => status === 'publish');
  await held(tx, { [instead]: published.reduce((sum, { records }) => sum + Number(records), 0) });
  const more = groups.map(({ type, status, records }) => [`${instead}/${type}/${status}`, Number(records)]);
  await count(tx, totalTopics.terms, Object.fromEntries(more));
}

const others = (
  mine: ExpressionBuilder<ContentTables & { mine: ContentTables['post_terms'] }, 'mine'>,
  taxonomy: string,
  id: number,
) =>
  mine
    .selectFrom('post_terms as other')
    .select('other.term_id')
    .whereRef('other.post_id', '=', 'mine.post_id')
    .where('other.taxonomy', '=', taxonomy)
    .where('other.term_id', '<>', id);

// Changing a term.

/** What is said as its description is safe already. */
async function changeTerm(tx: Writing, taxonomy: Taxonomy, before: Term, said: TermSaid): Promise<Term> {
  const parent = said.parent === undefined ? before.parent : await placeFor(tx, taxonomy, before, said.parent);
  const name = said.name === undefined ? before.name : nameOf(said.name);
  if (name === '') throw contentErrors.emptyTermName();
  const slug = await slugFor(tx, { ...before, name, parent }, said.slug);
  const { description = before.description } = said;
  const isSame =
    name === before.name && slug === before.slug && description === before.description && parent === before.parent;
  if (isSame) return before;
  return tx
    .updateTable('terms')
    .set({ name, name_key: nameKeyOf(name), slug, description, parent })
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** A term cannot be its own ancestor, so such a parent is replaced by the top level. */
async function placeFor(tx: Writing, taxonomy: Taxonomy, term: Term, wanted: number): Promise<number> {
  const parent = await parentFor(tx, taxonomy, wanted);
  return parent === undefined || (await isBelow(tx, parent, term)) ? 0 : parent.id;
}

async function slugFor(tx: Writing, term: Term, said: string | undefined): Promise<string> {
  if (said === undefined || said === term.slug) return term.slug;
  const slug = postSlug(said);
  if (slug === '') return slugFromName(tx, term);
  const other = await findNamed(tx, term.taxonomy, slug);
  if (other !== undefined && other.id !== term.id) throw contentErrors.duplicateTermSlug(slug);
  return slug;
}

/** An empty slug is derived from the name again. */
async function slugFromName(tx: Writing, { id, name, slug, taxonomy, parent }: Term): Promise<string> {
  if (postSlug(name) === slug) return slug;
  const place = { taxonomy, parent: parent === 0 ? undefined : await findTerm(tx, parent) };
  return (await freeSlug(tx, name, place)) || freeSlug(tx, String(id), place);
}

// The terms of records that are shown together.

const readCarried = built((db: Reads<ContentTables>, posts) =>
  db
    .selectFrom('post_terms')
    .innerJoin('terms', 'terms.id', 'post_terms.term_id')
    .select(['post_terms.post_id', ...columns.map((column) => `terms.${column}` as const)])
    .where('post_terms.post_id', 'in', posts)
    .orderBy('terms.name_key')
    .orderBy('terms.id'),
);

async function termsOf(
  db: Reads<ContentTables>,
  posts: readonly number[],
): Promise<Map<number, Readonly<Record<string, readonly Term[]>>>> {
  const possible = posts.filter(Number.isSafeInteger);
  if (possible.length === 0) return new Map();
  const rows = await readCarried(db, possible);
  const byPost = Map.groupBy(rows, ({ post_id }) => post_id);
  return new Map([...byPost].map(([post, carried]) => [post, byTaxonomy(carried)]));
}

const byTaxonomy = (rows: readonly (Term & { readonly post_id: number })[]): Record<string, Term[]> => {
  const terms = rows.map(({ post_id: _, ...term }) => term);
  return Object.groupBy(terms, ({ taxonomy }) => taxonomy) as Record<string, Term[]>;
};

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
      const term = there(await find(id), id);
      if (term.taxonomy !== taxonomy) throw contentErrors.termInvalid(id);
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

const there = (term: Term | undefined, id: number): Term => {
  if (term === undefined) throw contentErrors.termInvalid(id);
  return term;
};

function writing({ store, kinds, events }: Needs, defaultCategory: () => Promise<number>) {
  const kindOf = (name: string): Taxonomy => {
    const taxonomy = kinds.taxonomy(name);
    if (taxonomy === undefined) throw new Error(`The taxonomy ${name} is not declared.`);
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
        const found = there(await findTerm(tx, id), id);
        await again?.(tx, found);
        changed(namesTopic);
        return { before: found, term: await changeTerm(tx, kindOf(found.taxonomy), found, safe) };
      });
      events.emit('term.changed', { term, before });
      return term;
    },
    async erase({ id, taxonomy }, { again }) {
      const instead = taxonomy === category.name ? await defaultCategory() : undefined;
      if (id === instead) throw contentErrors.cannotDelete().saying('The default category cannot be deleted.');
      const term = await store.write(async (tx, { lock, changed }) => {
        await lock(termsLock);
        const found = there(await findTerm(tx, id), id);
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
