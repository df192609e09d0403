// The trash of records and of comments, which not every site has.
import { Problem } from '#kernel/problem.ts';

/** Throws where what is deleted goes at once. */
export function demandTrash(trashDays: number): void {
  if (trashDays > 0) return;
  const message = 'This site has no trash. Use force=true to delete it for good.';
  throw new Problem(501, 'rest_trash_not_supported', message);
}
