// Making a term.
import { postSlug } from '#lib/slug.ts';
import { count } from '../../platform/totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import type { Taxonomy } from '../types.ts';
import { flat, isThere, noName, noSuchParent, takenSlug } from './faults.ts';
import { columns, findNamed, findTerm, withAbove } from './rows.ts';
import { freeSlug, numbered } from './slugs.ts';
import type { Term, TermSaid } from './term.ts';
import { nameKeyOf, nameOf } from './words.ts';

// Where a term stands: below another of its kind, never below itself.

/** The term that `parent` names; nothing for the top. */
export async function parentFor(tx: Writing, taxonomy: Taxonomy, parent: number): Promise<Term | undefined> {
  if (parent === 0) return undefined;
  if (!taxonomy.hierarchical) throw flat();
  const found = await findTerm(tx, parent);
  if (found?.taxonomy !== taxonomy.name) throw noSuchParent();
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
  if (name === '') throw noName();
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
  throw other.parent === (parent?.id ?? 0) ? isThere(other) : takenSlug(slug);
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
