// What a comment may answer: another one on the same record, which does not answer it.
import type { Writing } from '../tables.ts';
import { wrongParent } from './faults.ts';

/** `id`: the one that shall be placed there, where it is there already. */
export async function demandParent(tx: Writing, parent: number, post: number, id?: number): Promise<void> {
  if (parent === 0) return;
  if (!Number.isSafeInteger(parent)) throw wrongParent();
  const line = await lineOf(tx, parent);
  const own = line.find((one) => one.id === parent);
  if (own?.post_id !== post || line.some((one) => one.id === id)) throw wrongParent();
}

/** It and all that it answers. */
const lineOf = (tx: Writing, id: number): Promise<{ id: number; post_id: number; parent: number }[]> =>
  tx
    .withRecursive('line', (line) =>
      line
        .selectFrom('comments')
        .select(['id', 'post_id', 'parent'])
        .where('id', '=', id)
        .union(
          line
            .selectFrom('line')
            .innerJoin('comments', 'comments.id', 'line.parent')
            .select(['comments.id', 'comments.post_id', 'comments.parent']),
        ),
    )
    .selectFrom('line')
    .select(['id', 'post_id', 'parent'])
    .execute();

/** What answers a comment that goes answers what that one answered. */
export async function raiseAnswers(tx: Writing, { id, parent }: { id: number; parent: number }): Promise<void> {
  await tx.updateTable('comments').set({ parent }).where('parent', '=', id).execute();
}
