// Making many terms of one kind in one write, which has all terms to itself. A name that there is already gets a number.
import { metaRows } from '../meta.ts';
import type { Writing } from '../tables.ts';
import type { Taxonomy } from '../types.ts';
import { insertTerm } from './add.ts';
import type { OneOfMany, Term } from './term.ts';
import { nameKeyOf, nameOf } from './words.ts';

export async function insertMany(tx: Writing, taxonomy: Taxonomy, all: readonly OneOfMany[]): Promise<Term[]> {
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
