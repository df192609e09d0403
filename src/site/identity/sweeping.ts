// Sessions and links that open nothing any more are forgotten, an hour later at most.
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { sweepTokens } from './one-time-tokens.ts';
import type { IdentityTables } from './tables.ts';

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

const name = 'identity.sweep';

export function sweepIdentity({ store, clock, jobs }: Needs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Forgets sessions and links that are over',
    attempts: 3,
    async run(_, { signal }) {
      const now = clock();
      const sessions = await inSlices((most) => sweepSessions(store, instant(now), most), { signal });
      await inSlices((most) => sweepUses(store, most), { signal });
      return { sessions, links: await inSlices((most) => sweepTokens(store, now, most), { signal }) };
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

async function sweepSessions(store: Store<IdentityTables>, now: string, most: number): Promise<number> {
  const over = store.db.selectFrom('sessions').select('id').where('expires_at', '<=', now).limit(most);
  const ids = (await over.execute()).map(({ id }) => id);
  if (ids.length > 0) await store.write((tx) => tx.deleteFrom('sessions').where('id', 'in', ids).execute());
  return ids.length;
}

/** Of sessions that have ended, in whichever way. */
async function sweepUses(store: Store<IdentityTables>, most: number): Promise<number> {
  const ended = store.db
    .selectFrom('session_uses as use')
    .leftJoin('sessions as session', 'session.id', 'use.session_id')
    .select('use.session_id as id')
    .where('session.id', 'is', null)
    .limit(most);
  const ids = (await ended.execute()).map(({ id }) => id);
  if (ids.length > 0) await store.write((tx) => tx.deleteFrom('session_uses').where('session_id', 'in', ids).execute());
  return ids.length;
}
