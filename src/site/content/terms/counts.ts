// How many published records carry a term: kept in its row, by the write that makes it so.
import { sql } from 'kysely';
import type { Writing } from '../tables.ts';

/**
 * So many more, or fewer, of each. Answers which terms there are: they stay until the write ends, since whoever deletes one
 * takes its row first. One after another and in one order, so that writers never wait in a ring.
 */
export async function held(tx: Writing, more: Readonly<Record<number, number>>): Promise<ReadonlySet<number>> {
  const there = new Set<number>();
  // Members that are whole numbers come sorted.
  for (const [key, by] of Object.entries(more)) {
    const id = Number(key);
    const row = await tx
      .updateTable('terms')
      .set({ count: sql<number>`count + ${by}` })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined) there.add(id);
  }
  return there;
}

/** The same of one, where it is of this kind. */
export async function heldAs(tx: Writing, id: number, taxonomy: string, by: number): Promise<boolean> {
  const row = await tx
    .updateTable('terms')
    .set({ count: sql<number>`count + ${by}` })
    .where('id', '=', id)
    .where('taxonomy', '=', taxonomy)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
