// A job that nobody wants any more.
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Running } from './running.ts';
import { cancelledTopic, type JobTables } from './tables.ts';

/** What waits ends at once; of what runs it is noted, for whoever does it. */
export const cancelJob = (store: Store<JobTables>, id: string, now: Date): Promise<boolean> =>
  store.write(async (tx, { changed }) => {
    const asked = await tx
      .updateTable('jobs')
      .set({ cancelled: 1 })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning(['status'])
      .executeTakeFirst();
    if (asked?.status === 'running') changed(cancelledTopic);
    if (asked?.status !== 'queued') return asked !== undefined;
    await tx
      .updateTable('jobs')
      .set((of) => ({
        status: 'cancelled',
        finished_at: instant(now),
        payload: of.case().when('confidential', '=', 1).then(null).else(of.ref('payload')).end(),
      }))
      .where('id', '=', id)
      .execute();
    return true;
  });

/** Stops what runs here and was cancelled, in whichever process. */
export async function stopCancelled({ db }: Store<JobTables>, running: Running): Promise<void> {
  const ours = running.claims.map(({ number }) => number);
  if (ours.length === 0) return;
  const rows = await db
    .selectFrom('jobs')
    .select('number')
    .where('cancelled', '=', 1)
    .where('number', 'in', ours)
    .execute();
  const numbers = new Set(rows.map(({ number }) => number));
  running.stop('cancelled', ({ number }) => numbers.has(number));
}
