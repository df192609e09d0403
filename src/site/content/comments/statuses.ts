// In what state a comment is, and what people call that.
import { type Instant, instant } from '#store/columns.ts';
import type { Comment } from './comment.ts';

/** Those that there are. */
export const allStatuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;

const names: Readonly<Record<string, string>> = {
  approve: 'approved',
  approved: 'approved',
  '1': 'approved',
  hold: 'hold',
  '0': 'hold',
  spam: 'spam',
  trash: 'trash',
};

/** Nothing, where it is the name of none. */
export const namedStatus = (said: string | undefined): string | undefined =>
  said !== undefined && Object.hasOwn(names, said) ? names[said] : undefined;

/** Nothing for `all`, which is no type but every one. */
export const listedType = (said: string): string | undefined => (said === 'all' ? undefined : said);

/** What a list is asked for: those that are shown or will be, for `all`. */
export const listedStatuses = (said: string): readonly string[] => {
  if (said === 'all') return ['approved', 'hold'];
  const named = said === 'post-trashed' ? said : namedStatus(said);
  return named === undefined ? [] : [named];
};

interface State {
  readonly status: string;
  readonly status_before: string | null;
  readonly trashed_at: Instant | null;
}

const undone: Readonly<Record<string, string>> = { untrash: 'trash', unspam: 'spam' };

/** What it is once this was said; nothing where that changes nothing. */
export function stateAfter(comment: Comment, said: string | undefined, now: Date): State | undefined {
  const { status, status_before: before } = comment;
  const back = said !== undefined && undone[said] === status ? (before ?? 'hold') : undefined;
  const wanted = back ?? namedStatus(said);
  if (wanted === undefined || wanted === status) return undefined;
  if (wanted !== 'trash' && wanted !== 'spam') return { status: wanted, status_before: null, trashed_at: null };
  // What comes back to where it was put aside before comes from there as from nowhere: undone once more, it waits.
  const status_before = back === undefined ? status : null;
  return { status: wanted, status_before, trashed_at: wanted === 'trash' ? instant(now) : null };
}
