// Why items of an order were left out. Whoever ordered is told how many there are; why, is written down for whoever runs the site.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import type { SiteServices } from '#site/services.ts';

export interface Skipped {
  add(reason: unknown): void;
  /** Why the first of them was, where people may know. */
  why(): string | undefined;
  /** One line for each reason, however many items it befell. */
  tell(): void;
}

export type SkippedLog = Pick<SiteServices['log'], 'warn' | 'error'>;

/** `kind`: of what, in the plural. */
export function createSkipped(log: SkippedLog, kind: string): Skipped {
  const reasons = new Map<string, { readonly reason: unknown; items: number }>();
  return {
    add(reason) {
      const known = reasons.get(String(reason));
      if (known === undefined) reasons.set(String(reason), { reason, items: 1 });
      else known.items += 1;
    },
    why() {
      const known = reasons.values().map(({ reason }) => reason);
      return known.find((reason) => reason instanceof Problem)?.message;
    },
    tell() {
      for (const { reason, items } of reasons.values())
        if (isForeseen(reason)) log.warn({ kind, items, reason: reason.message }, 'Test data was left out.');
        else log.error({ kind, items, err: reason }, 'Test data was left out for a reason nobody foresaw.');
    },
  };
}

/** What says in a sentence of ours why. */
const isForeseen = (reason: unknown): reason is Error =>
  [Problem, Upstream, Unavailable, OutOfSpace].some((known) => reason instanceof known);
