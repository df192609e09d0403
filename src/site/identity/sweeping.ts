// Sessions and links that open nothing any more are forgotten, an hour later at most.
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { linksLast } from './passwords/reset-links.ts';
import type { IdentityTables } from './tables.ts';

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

const name = 'identity.sweep';
/** So many at a time, so that no write takes long. */
const atOnce = 500;

export function sweepIdentity({ store, clock, jobs }: Needs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Forgets sessions and links that are over',
    attempts: 3,
    async run(_, { signal }) {
      const now = clock();
      const swept = { sessions: 0, links: 0 };
      for (let last = atOnce; last === atOnce; swept.sessions += last) {
        signal.throwIfAborted();
        last = await sweepSessions(store, instant(now));
      }
      for (let last = atOnce; last === atOnce; swept.links += last) {
        signal.throwIfAborted();
        last = await sweepLinks(store, instant(new Date(now.getTime() - linksLast)));
      }
      return swept;
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

async function sweepSessions(store: Store<IdentityTables>, now: string): Promise<number> {
  const over = store.db.selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(atOnce);
  const ids = (await over.execute()).map(({ id }) => id);
  if (ids.length > 0) await store.write((tx) => tx.deleteFrom('sessions').where('id', 'in', ids).execute());
  return ids.length;
}

async function sweepLinks(store: Store<IdentityTables>, before: string): Promise<number> {
  const over = store.db.selectFrom('password_resets').select('id').where('created_at', '<=', before).limit(atOnce);
  const ids = (await over.execute()).map(({ id }) => id);
  if (ids.length > 0) await store.write((tx) => tx.deleteFrom('password_resets').where('id', 'in', ids).execute());
  return ids.length;
}
