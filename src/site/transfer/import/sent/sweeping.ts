// What is left of files that were sent, when their job ended without erasing them: its process died too often, say.
import { day } from '#lib/spans.ts';
import { inSlices, pausing } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../../files/files.ts';
import type { Kind } from '../../../jobs/job.ts';
import { isUnfinished } from '../../../jobs/tables.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SentStore } from './store.ts';

/** Nothing in a folder with such a name is ever shown to anybody. */
export const folder = '.moving/';

interface Needs {
  readonly store: Store<SentStore>;
  readonly files: Pick<Files, 'list' | 'erase'>;
  readonly clock: Clock;
}

export const sweepingSent = ({ store, files, clock }: Needs): Kind<null> => ({
  name: 'moving.sweep',
  about: 'Erases export files that were sent to be moved in, and that no import waits for',
  attempts: 3,
  async run(_, { signal }) {
    const wanted = await store.db
      .selectFrom('sent_files')
      .innerJoin('jobs', 'jobs.id', 'sent_files.job')
      .select('path')
      .where(isUnfinished)
      .execute();
    const kept = new Set(wanted.map(({ path }) => path));
    const before = clock().getTime() - day;
    const pause = pausing();
    let swept = 0;
    for await (const { path, modified } of files.list(folder)) {
      await pause();
      // One that came just now may get its job at this very moment.
      if (kept.has(path) || modified.getTime() > before) continue;
      await files.erase(path);
      swept += 1;
    }
    await inSlices((most) => forget(store, most), { signal });
    return { swept };
  },
});

/** Those whose job is forgotten. */
const forget = (store: Store<SentStore>, most: number): Promise<number> =>
  store.write(async (tx) => {
    const left = await tx
      .selectFrom('sent_files')
      .select('job')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('jobs').select('id').whereRef('jobs.id', '=', 'sent_files.job'))),
      )
      .limit(most)
      .execute();
    if (left.length === 0) return 0;
    const jobs = left.map(({ job }) => job);
    await tx.deleteFrom('sent_files').where('job', 'in', jobs).execute();
    return left.length;
  });
