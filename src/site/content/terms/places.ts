// Where a term stands: below another of its kind, never below itself.

import type { Writing } from '../tables.ts';
import type { Taxonomy } from '../types.ts';
import { flat, noSuchParent } from './faults.ts';
import { findTerm, withAbove } from './rows.ts';
import type { Term } from './term.ts';

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
