// Changing a term.
import { postSlug } from '#lib/slug.ts';
import type { Writing } from '../tables.ts';
import type { Taxonomy } from '../types.ts';
import { noName, takenSlug } from './faults.ts';
import { isBelow, parentFor } from './places.ts';
import { columns, findNamed, findTerm } from './rows.ts';
import { freeSlug } from './slugs.ts';
import type { Term, TermSaid } from './term.ts';
import { nameKeyOf, nameOf } from './words.ts';

/** What is said as its description is safe already. */
export async function changeTerm(tx: Writing, taxonomy: Taxonomy, before: Term, said: TermSaid): Promise<Term> {
  const parent = said.parent === undefined ? before.parent : await placeFor(tx, taxonomy, before, said.parent);
  const name = said.name === undefined ? before.name : nameOf(said.name);
  if (name === '') throw noName();
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

/** Whoever would lie below themselves stand at the top. */
async function placeFor(tx: Writing, taxonomy: Taxonomy, term: Term, wanted: number): Promise<number> {
  const parent = await parentFor(tx, taxonomy, wanted);
  return parent === undefined || (await isBelow(tx, parent, term)) ? 0 : parent.id;
}

async function slugFor(tx: Writing, term: Term, said: string | undefined): Promise<string> {
  if (said === undefined || said === term.slug) return term.slug;
  const slug = postSlug(said);
  if (slug === '') return slugFromName(tx, term);
  const other = await findNamed(tx, term.taxonomy, slug);
  if (other !== undefined && other.id !== term.id) throw takenSlug(slug);
  return slug;
}

/** A slug that is taken away is made anew. */
async function slugFromName(tx: Writing, { id, name, slug, taxonomy, parent }: Term): Promise<string> {
  if (postSlug(name) === slug) return slug;
  const place = { taxonomy, parent: parent === 0 ? undefined : await findTerm(tx, parent) };
  return (await freeSlug(tx, name, place)) || freeSlug(tx, String(id), place);
}
