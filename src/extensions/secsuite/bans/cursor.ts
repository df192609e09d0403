// Where a list of bans goes on: after that one. Clients send it back as they got it.
import { Problem } from '#kernel/problem.ts';
import { second } from '#lib/spans.ts';

/** One ban, by what lists are in order of. */
export interface Place {
  readonly created_at: string;
  readonly id: number;
}

export const cursorAfter = ({ created_at, id }: Place, rows: number): string =>
  Buffer.from(`${Date.parse(created_at) / second}-${id}-${rows}`).toString('base64url');

export function readCursor(text: string): Place {
  const [, seconds, id] = /^(\d{1,11})-(\d{1,15})-\d{1,3}$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const canonical = /^[\w-]{1,60}$/.test(text);
  if (!canonical || seconds === undefined) throw malformed();
  return { created_at: new Date(Number(seconds) * second).toISOString(), id: Number(id) };
}

const malformed = (): Problem =>
  new Problem(400, 'secsuite_malformed_cursor', 'That is no place in the list of bans. Please start it anew.');
