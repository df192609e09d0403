// People put together: who they are, how they sign in, what is cleared away and what they are told by email.

import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Mail } from '../email/mail.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Platform, PlatformOptions } from '../platform/open.ts';
import { createClients } from './clients.ts';
import { createIdentity } from './identity.ts';
import { sendNotices } from './notices.ts';
import { sweepTokens } from './one-time-tokens.ts';
import { createProxyWatch } from './proxy-watch.ts';
import type { Roles } from './roles.ts';
import { createSessionKey } from './session-key.ts';
import type { IdentityTables } from './tables.ts';

interface IdentityOptions extends Pick<PlatformOptions, 'config'> {
  readonly roles: Roles;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number | undefined;
}

/** Longer than the oldest kind of password hash takes to check. */
const usualRefusal = 500;

export function openIdentity(
  needs: Platform & { readonly jobs: Jobs; readonly mail: Mail },
  { config, roles, refusalTakes = usualRefusal }: IdentityOptions,
) {
  const { allowInsecureCredentials, basicForeign, secret, trustProxy, url } = config;
  const ignoreForeign = basicForeign === 'ignore';
  sendNotices(needs);
  sweepIdentity(needs);
  return {
    identity: createIdentity({ ...needs, roles, allowInsecureCredentials, ignoreForeign, refusalTakes }),
    sessionKey: createSessionKey(needs.store, secret, needs.keys),
    /** Whose request it is. */
    clients: createClients(trustProxy, createProxyWatch({ ...needs, url, trusted: trustProxy })),
  };
}

// Sessions and links that open nothing any more are forgotten, an hour later at most.

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

const name = 'identity.sweep';

function sweepIdentity({ store, clock, jobs }: Needs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes expired sessions and links',
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
