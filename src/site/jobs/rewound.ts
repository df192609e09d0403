// A clock that was ahead and is right again: what it left in the queue would not be due for as long as it was ahead.
import { second } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import { isAlone, isFree, type JobTables } from './tables.ts';

/** Asks whether the clock went back since the last time; the first time, nobody knows. */
export function createRewound(store: Store<JobTables>, clock: Clock): () => Promise<void> {
  let last = Number.POSITIVE_INFINITY;
  return async () => {
    const now = clock();
    const isBack = now.getTime() < last;
    if (isBack) await makeDue(store, now);
    last = now.getTime();
  };
}

/** What was added in what is the future now, and not for a moment of its own. */
async function makeDue(store: Store<JobTables>, now: Date): Promise<void> {
  const ahead = (which: typeof isFree) =>
    store.db
      .selectFrom('jobs')
      .select('number')
      .where(which)
      .where('run_at', '>', instant(now))
      .where('created_at', '>', instant(new Date(now.getTime() + second)))
      .where((of) => of.or([of('run_at', '=', of.ref('created_at')), of('attempt', '>', 0)]));
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
