// How far off a moment is, in one unit, as people say it.
import { day, hour, minute, second } from '#lib/spans.ts';

const units = [
  ['second', second, minute],
  ['minute', minute, hour],
  ['hour', hour, day],
  ['day', day, 7 * day],
  ['week', 7 * day, 30 * day],
  ['month', 30 * day, 365 * day],
  ['year', 365 * day, Number.POSITIVE_INFINITY],
] as const;

/** `5 minutes`: at least one of whatever it is. */
export function distance(one: number, other: number): string {
  const apart = Math.abs(one - other);
  const [name, span] = units.find(([, , until]) => apart < until)!;
  const many = Math.max(1, Math.round(apart / span));
  return `${many} ${name}${many === 1 ? '' : 's'}`;
}
