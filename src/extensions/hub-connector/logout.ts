// The site leaves the hub: the hub is asked to forget it, and whatever it answers, the site forgets the hub.
import type { Transaction } from 'kysely';
import type { Doing } from '#site/identity/doing.ts';
import { Stopped } from '#site/jobs/job.ts';
import type { AnyTables } from '#store/handles.ts';
import type { AnyStore } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { hubConnectorErrors } from './errors.ts';
import type { Hub } from './hub.ts';
import type { Inventory } from './inventory.ts';
import type { Accounts } from './settings.ts';
import { forget, knownOf, leave } from './state.ts';
import type { Sync, Synced } from './sync.ts';
import type { Turn, Turns } from './turns.ts';

/** Telling the hub for somebody who waits for it. */
export type Asked = (force: boolean, doing: Doing) => Promise<Synced>;

/** The site does not stay up for a hub that is slow. */
export const createAsked =
  (sync: Sync, stopping: AbortSignal): Asked =>
  (force, doing) =>
    sync({ force, signal: stopping }, doing).catch(sayingSo);

/** Nobody waited for the hub to the end. */
function sayingSo(error: unknown): never {
  if (!(error instanceof Stopped)) throw error;
  throw hubConnectorErrors.apiStopping();
}

/** `remote`: what the hub was told did not arrive, or it did not agree. */
export type Logout = (doing: Doing) => Promise<{ readonly remote?: 'failed' }>;

interface Needs {
  readonly store: AnyStore;
  readonly accounts: Accounts;
  readonly inventory: Pick<Inventory, 'self'>;
  readonly hub: Pick<Hub, 'leave'>;
  readonly turns: Pick<Turns, 'alone'>;
  readonly stopping: AbortSignal;
}

export function createLogout({ store, accounts, inventory, hub, turns, stopping }: Needs): Logout {
  const find = async () => {
    const account = await accounts.find();
    const known = account && (await knownOf(store.db, account.target));
    if (account === undefined || known?.membership == null) throw hubConnectorErrors.notLoggedIn();
    if (account.isFixed) throw hubConnectorErrors.keyIsFixed();
    return { account, known };
  };
  const left = async (turn: Turn, doing: Doing) => {
    stopping.throwIfAborted();
    const { account, known } = await find();
    const isForgotten = await hub.leave(account, inventory.self, known.hub_site_id, stopping);
    const together = async (tx: Transaction<AnyTables>, during: During) => {
      await doing.again?.(tx, undefined);
      await turn.holds(tx, during);
      await leave(tx, accounts.targetOf({ url: account.url, key: '' }));
    };
    if (!(await accounts.drop(account, doing.by ?? 0, together)))
      // Somebody who set another key meanwhile keeps it; this hub is left all the same.
      await turn.write(async (tx) => {
        await doing.again?.(tx, undefined);
        await forget(tx);
      });
    return isForgotten ? {} : { remote: 'failed' as const };
  };
  return async (doing) => {
    await find();
    return turns.alone(doing, (turn) => left(turn, doing), stopping).catch(sayingSo);
  };
}
