// What a comment may answer: another one on the same record, which does not answer it.
import { sql } from 'kysely';
import type { CommentsTable, Writing } from '../tables.ts';
import { wrongParent } from './faults.ts';
import { isNote } from './notes.ts';

/** Farther up than this nobody looks: one that others answer is not moved there. */
const mostAbove = 10_000;

/** `id`: the one that shall be placed there, where it is there already. */
export async function demandParent(tx: Writing, parent: number, post: number, id?: number): Promise<void> {
  if (parent === 0) return;
  if (!Number.isSafeInteger(parent) || parent === id) throw wrongParent();
  const own = await tx.selectFrom('comments').select('post_id').where('id', '=', parent).executeTakeFirst();
  if (own?.post_id !== post) throw wrongParent();
  // A new one, and one that nobody answers, is above nobody.
  if (id === undefined || !(await isAnswered(tx, id))) return;
  if (await mayBeBelow(tx, parent, id)) throw wrongParent();
}

/** Notes answer notes, and comments answer comments: nobody else learns which notes there are. */
export async function demandSameKind(tx: Writing, parent: number, child: Pick<CommentsTable, 'type'>): Promise<void> {
  if (parent === 0 || !Number.isSafeInteger(parent)) return;
  const above = await tx.selectFrom('comments').select('type').where('id', '=', parent).executeTakeFirst();
  if (above !== undefined && isNote(above) !== isNote(child)) throw wrongParent();
}

const isAnswered = async (tx: Writing, id: number): Promise<boolean> =>
  (await tx.selectFrom('comments').select('id').where('parent', '=', id).limit(1).executeTakeFirst()) !== undefined;

/** Whether it answers the other, directly or not; or is so far down that nobody can tell. */
async function mayBeBelow(tx: Writing, one: number, other: number): Promise<boolean> {
  // Each step finds one row by its number, however the store plans.
  const above = sql<number>`(select comments.parent from comments where comments.id = line.id)`;
  const found = await tx
    .withRecursive('line(id, depth)', (line) =>
      line.selectNoFrom([sql<number>`cast(${one} as bigint)`.as('id'), sql<number>`0`.as('depth')]).unionAll(
        line
          .selectFrom('line')
          .select((eb) => [above.as('id'), eb('line.depth', '+', 1).as('depth')])
          .where('line.id', '>', 0)
          .where('line.id', '<>', other)
          .where('line.depth', '<', mostAbove),
      ),
    )
    .selectFrom('line')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', other), eb.and([eb('depth', '>=', mostAbove), eb('id', '>', 0)])]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What answers a comment that goes answers what that one answered. */
export async function raiseAnswers(tx: Writing, { id, parent }: { id: number; parent: number }): Promise<void> {
  await tx.updateTable('comments').set({ parent }).where('parent', '=', id).execute();
}
