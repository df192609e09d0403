// Guesses that no longer count are forgotten, an hour later at most: they name IP addresses.
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { GuessTables } from './tables.ts';

interface SweepNeeds {
  readonly store: Store<GuessTables>;
  readonly clock: Clock;
}

const name = 'post-passwords.sweep';
/** Rows deleted in one write, so that none takes long. */
const atOnce = 500;

export function sweepGuesses({ store, clock }: SweepNeeds, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Forgets wrong passwords of posts that no longer count',
    attempts: 3,
    async run(_, { signal }) {
      let guesses = 0;
      for (let last = atOnce; last === atOnce; guesses += last) {
        signal.throwIfAborted();
        last = await forget(store, instant(clock()));
      }
      return { guesses };
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

async function forget({ db, write }: SweepNeeds['store'], now: string): Promise<number> {
  const over = db.selectFrom('post_password_guesses').select('subject').where('until', '<=', now).limit(atOnce);
  const subjects = (await over.execute()).map(({ subject }) => subject);
  if (subjects.length > 0)
    await write((tx) =>
      tx.deleteFrom('post_password_guesses').where('subject', 'in', subjects).where('until', '<=', now).execute(),
    );
  return subjects.length;
}
