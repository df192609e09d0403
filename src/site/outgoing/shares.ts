// What each may have of the site's requests to others: so many at once, the others wait, and so many look-ups a minute. Counted by
// this process alone, so that what is refused leaves nothing behind.

import type { Problem } from '#kernel/problem.ts';
import { waitOutside } from '#kernel/request.ts';
import { inTurn } from '#lib/concurrency.ts';
import { minute } from '#lib/spans.ts';
import type { Clock } from '../platform/clock.ts';
import { outgoingErrors } from './errors.ts';

/** At once, of one person and of all together; and begun by one within a minute. */
interface Most {
  readonly each: number;
  readonly all: number;
  readonly aMinute: number;
}

export interface Shares {
  /** Whether they may look something up once more. */
  mayLookUp(user: number): boolean;
  /** Once it is their turn: none of them is before others more than `each` times. */
  inTurn<R>(user: number, work: () => Promise<R>): Promise<R>;
}

interface Share {
  readonly turn: ReturnType<typeof inTurn>;
  held: number;
}

export function createShares(clock: Clock, { each, all, aMinute }: Most): Shares {
  const together = inTurn(all);
  const shares = new Map<number, Share>();
  const lookUps = { minute: 0, of: new Map<number, number>() };
  return {
    mayLookUp(user) {
      const now = Math.floor(clock().getTime() / minute);
      if (lookUps.minute !== now) lookUps.of.clear();
      lookUps.minute = now;
      const begun = lookUps.of.get(user) ?? 0;
      const held = shares.get(user)?.held ?? 0;
      // Those that still wait from the minute before count too, or they would become ever more.
      if (begun >= aMinute || held >= aMinute) return false;
      lookUps.of.set(user, begun + 1);
      return true;
    },
    async inTurn(user, work) {
      const share = shares.get(user) ?? { turn: inTurn(each), held: 0 };
      shares.set(user, share);
      share.held += 1;
      try {
        return await waitOutside(() => share.turn(() => together(work)));
      } finally {
        share.held -= 1;
        if (share.held === 0) shares.delete(user);
      }
    },
  };
}

export const tooManyLookUps = (): Problem =>
  outgoingErrors
    .tooManyRequests('You sent too many URLs within 1 minute. Try again in 1 minute.')
    .with({}, { headers: { 'Retry-After': '60' } });
