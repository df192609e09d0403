// What keeps something from arriving is told, and the rest goes on; unless the store itself is at its end.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Upstream } from '../../outgoing/outgoing.ts';
import type { Fault } from './report.ts';

interface Placed {
  readonly line?: number;
  readonly id?: number;
}

/** Throws what no other piece would come through either. */
export function faultOf(error: unknown, { line, id }: Placed, title: string): Fault {
  if (error instanceof Unavailable || error instanceof OutOfSpace) throw error;
  const place = {
    ...(line !== undefined && { line }),
    ...(id !== undefined && { id }),
    title,
  };
  if (error instanceof Problem) return { ...place, code: error.code, message: error.message };
  if (error instanceof Upstream) return { ...place, code: 'not_fetched', message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { ...place, code: 'failed', message: `It could not be kept: ${reason}` };
}
