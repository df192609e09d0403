// How requests to other sites went, counted by what they were for. Purposes are named by the program, so they are few.
import { Problem } from '#kernel/problem.ts';
import type { Outgoing } from './outgoing.ts';
import { Upstream } from './upstream.ts';

export interface OutgoingFigure {
  readonly purpose: string;
  /** `answered`; `refused` by the guard; else what the other side did wrong, or `failed`. */
  readonly outcome: string;
  readonly requests: number;
}

export interface CountedOutgoing extends Outgoing {
  /** Since the process started. */
  figures(): OutgoingFigure[];
}

export function counted(outgoing: Outgoing): CountedOutgoing {
  const counts = new Map<string, Map<string, number>>();
  const count = (purpose: string, outcome: string): void => {
    const outcomes = counts.get(purpose) ?? new Map<string, number>();
    counts.set(purpose, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  };
  const counting = (name: string) => (error: unknown) => {
    count(name, outcomeOf(error));
    throw error;
  };
  return {
    fetch: async (url, purpose) => {
      const fetched = await outgoing.fetch(url, purpose).catch(counting(purpose.name));
      count(purpose.name, 'answered');
      return fetched;
    },
    // What passes is counted once it is asked.
    vet: (url, purpose) => outgoing.vet(url, purpose).catch(counting(purpose.name)),
    figures: () =>
      [...counts].flatMap(([purpose, outcomes]) =>
        [...outcomes].map(([outcome, requests]) => ({ purpose, outcome, requests })),
      ),
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof Problem) return 'refused';
  return error instanceof Upstream ? error.fault : 'failed';
}
