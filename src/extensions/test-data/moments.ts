// When something happened, or will.
import type { Draws } from '#lib/draws.ts';
import { type Moment, momentAt, type Zone } from '#lib/wall-time.ts';

/** Between two moments, the second not included; the first where there is nothing between them. */
export function between(draws: Draws, from: Date, to: Date): Date {
  const [first, last] = [Math.ceil(from.getTime() / 1_000), Math.ceil(to.getTime() / 1_000) - 1];
  return new Date(draws.integer(first, Math.max(first, last)) * 1_000);
}

export const momentBetween = (draws: Draws, zone: Zone, from: Date, to: Date): Moment =>
  momentAt(zone, between(draws, from, to));
