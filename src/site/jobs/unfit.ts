// What is wrong with kinds of jobs and with schedules, found when they are made known: later, a job would wait for ever.
import { day, second } from '#lib/spans.ts';
import type { Kind } from './job.ts';

/** Jobs that cannot be done as they are declared. */
export class UnfitJobs extends Error {}

const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 1;

export function refuseUnfitKind(
  { name, attempts = 1, lane }: Pick<Kind<unknown>, 'name' | 'attempts' | 'lane'>,
  laneNow: number | undefined,
): void {
  if (!isCount(attempts)) throw new UnfitJobs(`Jobs called ${name} are to be begun ${attempts} times.`);
  if (lane === undefined) return;
  if (!isCount(lane.atOnce))
    throw new UnfitJobs(`The lane ${lane.name} of jobs called ${name} is to carry ${lane.atOnce} at once.`);
  if (laneNow !== undefined && laneNow !== lane.atOnce)
    throw new UnfitJobs(`The lane ${lane.name} carries ${laneNow} jobs at once, but ${lane.atOnce} for ${name}.`);
}

/** As often as schedules are looked at. */
const soonest = second;
const latest = 3_650 * day;

export function refuseUnfitSchedule({ name, every }: { readonly name: string; readonly every: number }): void {
  if (every >= soonest && every <= latest) return;
  const span = `between ${soonest} (a second) and ${latest} (ten years)`;
  throw new UnfitJobs(`The schedule ${name} comes back after ${every} milliseconds, which have to be ${span}.`);
}
