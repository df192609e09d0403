// The picture a record is shown with.
import type { Writing } from '../tables.ts';

/**
 * What is no file is passed over. What is one stays as long as this write is under way, and so does who may see it: whoever changes
 * what it is attached to changes it, too.
 */
export async function pictureOf(tx: Writing, said: number | undefined, before: number): Promise<number> {
  if (said === undefined || said === 0 || said === before) return said ?? before;
  const file = tx.selectFrom('posts').select('id').where('id', '=', said).where('type', '=', 'attachment');
  return (await file.forShare().executeTakeFirst())?.id ?? before;
}
