import { Problem } from '#kernel/problem.ts';
import type { Range } from './files.ts';

export const unsatisfiable = (): Problem => new Problem(416, 'range_not_satisfiable', 'The file has no such part.');

/** What a range means for a file of this size: its end may lie beyond the file's, its beginning not. */
export function within({ first, last }: Range, size: number): Range {
  const sound = Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 0 && first <= last;
  if (!sound || first >= size) throw unsatisfiable();
  return { first, last: Math.min(last, size - 1) };
}
