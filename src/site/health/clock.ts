// A clock that went back: what is written then has earlier dates than what was there before, and sorts below it.
import { day, minute } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { ok, type Seen, wrong } from './check.ts';
import { markOf, setMark } from './marks.ts';

interface Needs {
  readonly store: AnyStore;
  readonly clock: Clock;
}

/** How far the clocks of several machines, or one that is set right, may be apart. */
const tolerated = 2 * minute;
const notedEvery = 10 * minute;
/** A clock that stays where it is for so long is right: it was ahead before. */
const believedAfter = day;

/** What is wrong with the clock, as the end of a sentence; nothing while it goes forward. */
export async function behindOf({ store, clock }: Needs): Promise<string | undefined> {
  const [now, latest] = [clock(), await markOf(store, 'time')];
  if (latest === undefined || latest.getTime() - now.getTime() <= tolerated) return undefined;
  const { later } = await store.db
    .selectFrom('posts')
    .select((of) => of.fn.countAll<number>().as('later'))
    .where('status', '=', 'publish')
    .where('date_gmt', '>', now.toISOString().slice(0, 19))
    .executeTakeFirstOrThrow();
  const posts = `${later} published ${later === 1 ? 'post has a later date' : 'posts have later dates'}`;
  return `the clock says ${shown(now)}, but this site was in use at ${shown(latest)}; ${posts}, and new posts sort below`;
}

export const clockRemedy =
  'Correct the clock of this machine, for example with "timedatectl set-ntp true". Then correct the dates of the posts written in the meantime.';

export async function clockSeen(needs: Needs): Promise<Seen> {
  const behind = await behindOf(needs);
  return behind === undefined ? ok('goes forward') : wrong(behind, clockRemedy);
}

const shown = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Keeps the latest time that was seen, and tells the log when the clock goes back behind it. */
export function watchClock({ jobs, log, ...needs }: Needs & { readonly jobs: Jobs; readonly log: Log }): void {
  let told: number | undefined;
  const look = async (): Promise<void> => {
    const behind = await behindOf(needs);
    if (behind === undefined || performance.now() - (told ?? Number.POSITIVE_INFINITY) > believedAfter) {
      told = undefined;
      return setMark(needs.store, 'time', needs.clock());
    }
    if (told !== undefined) return;
    told = performance.now();
    log.warn({}, `The clock went back: ${behind}. ${clockRemedy}`);
  };
  jobs.schedule({ name: 'health.clock', every: notedEvery, add: look });
}
