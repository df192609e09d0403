// Making a term.
import type { Problem } from '#kernel/problem.ts';
import { postSlug, shortSlug } from '#lib/slug.ts';
import { count } from '../../platform/totals.ts';
import { contentErrors } from '../errors.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Taxonomy } from '../types.ts';
import { columns, findNamed, findTerm, withAbove } from './rows.ts';
import { nameKeyOf, nameOf, type Term, type TermSaid } from './term.ts';

// Where a term stands: below another of its kind, never below itself.

/** The term that `parent` names; nothing for the top. */
export async function parentFor(tx: Writing, taxonomy: Taxonomy, parent: number): Promise<Term | undefined> {
  if (parent === 0) return undefined;
  if (!taxonomy.hierarchical) throw contentErrors.taxonomyNotHierarchical();
  const found = await findTerm(tx, parent);
  if (found?.taxonomy !== taxonomy.name) throw contentErrors.termInvalidParent();
  return found;
}

/** Whether it would then lie below itself. */
export async function isBelow(tx: Writing, parent: Term, { id }: Term): Promise<boolean> {
  const line = await withAbove(tx, [parent.id]);
  return line.some((term) => term.id === id);
}

/** Its description is safe already. One that comes from elsewhere may bring its number. */
export async function insertTerm(
  tx: Writing,
  taxonomy: Taxonomy,
  said: TermSaid & { readonly name: string },
  id?: number,
): Promise<Term> {
  const name = nameOf(said.name);
  const parent = await parentFor(tx, taxonomy, said.parent ?? 0);
  if (name === '') throw contentErrors.emptyTermName();
  const place = { taxonomy: taxonomy.name, parent };
  const slug = await givenSlug(tx, said.slug ?? '', place);
  await refuseSame(tx, name, place);
  const row = await tx
    .insertInto('terms')
    .values({
      ...(id !== undefined && { id }),
      taxonomy: taxonomy.name,
      slug: slug || (await freeSlug(tx, name, place)),
      name,
      name_key: nameKeyOf(name),
      description: said.description ?? '',
      parent: parent?.id ?? 0,
      count: 0,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await count(tx, totalTopics.taxonomies, { [taxonomy.name]: 1 });
  return row.slug === '' ? slugFromId(tx, row) : row;
}

interface Place {
  readonly taxonomy: string;
  readonly parent: Term | undefined;
}

/** One that somebody chose is theirs or refused. */
async function givenSlug(tx: Writing, text: string, { taxonomy, parent }: Place): Promise<string> {
  const slug = postSlug(text);
  const other = slug === '' ? undefined : await findNamed(tx, taxonomy, slug);
  if (other === undefined) return slug;
  throw other.parent === (parent?.id ?? 0) ? isThere(other) : contentErrors.duplicateTermSlug(slug);
}

async function refuseSame(tx: Writing, name: string, { taxonomy, parent }: Place): Promise<void> {
  const same = await tx
    .selectFrom('terms')
    .select(columns)
    .where('taxonomy', '=', taxonomy)
    .where('parent', '=', parent?.id ?? 0)
    .where('name_key', '=', nameKeyOf(name))
    .executeTakeFirst();
  if (same !== undefined) throw isThere(same);
}

/** For a name of which nothing can stand in an address. */
async function slugFromId(tx: Writing, { id, taxonomy }: Term): Promise<Term> {
  const own = String(id);
  const slug = (await findNamed(tx, taxonomy, own)) === undefined ? own : await numbered(tx, taxonomy, own);
  return tx.updateTable('terms').set({ slug }).where('id', '=', id).returning(columns).executeTakeFirstOrThrow();
}

/** Programs go on with the one that is there. */
const isThere = ({ id }: Term): Problem => contentErrors.termExists().with({ term_id: id }, { also: [id, id] });

// The names of terms in addresses. Asked inside the write that takes one, which holds the lock on terms.

/** The name under which writes that decide by looking at other terms wait for each other. */
export const termsLock = 'terms';

const most = 200;
const together = 1_000;

interface SlugPlace {
  readonly taxonomy: string;
  readonly parent: Pick<Term, 'slug'> | undefined;
}

/** The slug; with that of its parent where somebody has it; with the first number that makes it nobody else's. */
export async function freeSlug(tx: Writing, text: string, { taxonomy, parent }: SlugPlace): Promise<string> {
  const slug = postSlug(text);
  // It gets its number for a name, once it has one.
  if (slug === '') return '';
  if ((await findNamed(tx, taxonomy, slug)) === undefined) return slug;
  if (parent === undefined) return numbered(tx, taxonomy, slug);
  const longer = shortSlug(`${slug}-${parent.slug}`, most);
  return (await findNamed(tx, taxonomy, longer)) === undefined ? longer : numbered(tx, taxonomy, longer);
}

async function numbered(tx: Writing, taxonomy: string, slug: string): Promise<string> {
  for (let from = 2, many = 50; ; from += many, many = Math.min(2 * many, together)) {
    const candidates = Array.from({ length: many }, (_, at) => withNumber(slug, from + at));
    const rows = await tx
      .selectFrom('terms')
      .select('slug')
      .where('taxonomy', '=', taxonomy)
      .where('slug', 'in', candidates)
      .execute();
    const taken = new Set(rows.map((row) => row.slug));
    const free = candidates.find((one) => !taken.has(one));
    if (free !== undefined) return free;
  }
}

const withNumber = (slug: string, number: number): string => {
  const ending = `-${number}`;
  return shortSlug(slug, most - ending.length) + ending;
};
