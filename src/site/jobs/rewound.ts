// A clock that was ahead and is right again: what it left in the queue would not be due for as long as it was ahead.
import { hour, second } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { longestPause } from './doing.ts';
import { isAlone, isFree, type JobTables } from './tables.ts';

/** Asks whether the clock went back since the last time; the first time nobody knows, nor whether that of another machine did. */
export function createRewound(store: Store<JobTables>, clock: Clock): () => Promise<void> {
  let [last, looked] = [Number.POSITIVE_INFINITY, 0];
  return async () => {
    const now = clock();
    const at = now.getTime();
    if (at < last || at - looked >= hour) {
      await makeDue(store, now);
      looked = at;
    }
    last = at;
  };
}

/** What was added in what is the future now, and not for a moment of its own; and what waits longer for its next go than anything may. */
async function makeDue(store: Store<JobTables>, now: Date): Promise<void> {
  const ahead = (which: typeof isFree) =>
    store.db
      .selectFrom('jobs')
      .select('number')
      .where(which)
      .where('run_at', '>', instant(now))
      .where((of) => {
        const isMadeAhead = of('created_at', '>', instant(new Date(now.getTime() + second)));
        const isForNoMoment = of.or([of('run_at', '=', of.ref('created_at')), of('attempt', '>', 0)]);
        const isTooLate = of('run_at', '>', instant(new Date(now.getTime() + longestPause + second)));
        return of.or([of.and([isMadeAhead, isForNoMoment]), of.and([of('attempt', '>', 0), isTooLate])]);
      });
  for (const which of [isFree, isAlone]) {
    const rows = await ahead(which).execute();
    for (let at = 0; at < rows.length; at += atOnce) {
      const numbers = rows.slice(at, at + atOnce).map(({ number }) => number);
      await store.write((tx) =>
        tx
          .updateTable('jobs')
          .set({ run_at: instant(now) })
          .where('number', 'in', numbers)
          .where('status', '=', 'queued')
          .execute(),
      );
    }
  }
}

const atOnce = 500;
