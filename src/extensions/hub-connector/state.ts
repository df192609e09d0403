// What is known of the hub: what it said last, and how it went since.
import type { Transaction } from 'kysely';
import type { Instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { type HubTables, only } from './tables.ts';

export interface Known {
  readonly hash: string | null;
  readonly synced_at: Instant | null;
  readonly fails: number;
  readonly tried_at: Instant | null;
  readonly membership: string | null;
  readonly hub_site_id: number;
  readonly refusal: string | null;
}

/** The membership of a site whose key the hub does not take. */
export const none = '';
/** The membership of a site that left, and keeps nothing of the hub but its address. */
const left = 'left';

const nothing: Known = {
  hash: null,
  synced_at: null,
  fails: 0,
  tried_at: null,
  membership: null,
  hub_site_id: 0,
  refusal: null,
};

/** Of this hub and key; nothing of any other. */
export async function knownOf(db: Reads<HubTables>, target: string): Promise<Known> {
  const row = await db
    .selectFrom('hub_connector_state')
    .select(['hash', 'synced_at', 'fails', 'tried_at', 'membership', 'hub_site_id', 'refusal'])
    .where('id', '=', only)
    .where('target', '=', target)
    .executeTakeFirst();
  return row ?? nothing;
}

export async function keep(tx: Transaction<HubTables>, target: string, known: Partial<Known>): Promise<void> {
  const row = { ...nothing, ...known, target };
  await tx
    .insertInto('hub_connector_state')
    .values({ id: only, ...row })
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute();
}

export const forget = async (tx: Transaction<HubTables>): Promise<void> =>
  void (await tx.deleteFrom('hub_connector_state').execute());

/** Forgets all but that this site left by itself, so that nobody takes the address that stays for one that waits for its key. */
export async function leave(tx: Transaction<HubTables>, keyless: string): Promise<void> {
  await forget(tx);
  await keep(tx, keyless, { membership: left });
}

/** `keyless`: the target of this address without a key. */
export const hasLeft = async (db: Reads<HubTables>, keyless: string): Promise<boolean> =>
  (await knownOf(db, keyless)).membership === left;
