// What sites send: how they are, and that they leave.
import { Problem } from '#kernel/problem.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { addressIn, addressKeyOf } from './address.ts';
import { hear } from './heard.ts';
import { inventoryOf, type Told } from './inventory.ts';
import type { Signed } from './signers.ts';
import type { Membership } from './site.ts';
import { eraseRows, missing } from './sites.ts';
import type { HubTables, Writing } from './tables.ts';

/** What a site is told. */
export interface Heard {
  readonly membership: Membership;
  readonly hub_site_id: number;
  readonly name: string;
}

export type Syncs = ReturnType<typeof createSyncs>;

export function createSyncs(store: Store<HubTables & IdentityTables>, clock: Clock) {
  /** The site that sent it, if it is the one that the key belongs to; each message counts once. */
  const receive = async (tx: Writing, { site: id, marks }: Signed, domain: string) => {
    await hear(tx, id, marks, clock());
    const site = await tx.selectFrom('hub_sites').selectAll().where('id', '=', id).executeTakeFirst();
    if (site === undefined) throw missing();
    const address = addressIn(domain);
    if (site.address !== null && site.address !== address) throw takenBy(site.address);
    return { ...site, address, membership: site.membership === 'paused' ? ('paused' as const) : ('full' as const) };
  };

  return {
    /** The first sync of a key says whose it is from then on. Of a site that is paused nothing is kept. */
    take: (signed: Signed, told: Told): Promise<Heard> =>
      store.write(async (tx, { lock }) => {
        await lock(`hub site ${signed.site}`);
        const { id, name, membership, address } = await receive(tx, signed, told.domain);
        const kept = {
          address,
          address_key: addressKeyOf(address),
          synced_at: instant(clock()),
          health: told.health?.status ?? null,
          version: told.app_version ?? null,
          inventory: JSON.stringify(inventoryOf(told)),
        };
        if (membership === 'full') await tx.updateTable('hub_sites').set(kept).where('id', '=', id).execute();
        return { membership, hub_site_id: id, name };
      }),

    /** The site is forgotten, and its key with it. */
    forget: (signed: Signed, domain: string): Promise<{ forgotten: true }> =>
      store.write(async (tx, { lock }) => {
        await lock(`hub site ${signed.site}`);
        const { id } = await receive(tx, signed, domain);
        await eraseRows(tx, id);
        return { forgotten: true };
      }),
  };
}

const takenBy = (address: string): Problem =>
  new Problem(
    409,
    'already_registered',
    `This key belongs to ${address}. A copy of that site needs a key of its own, by "gatehouse hub add". If the site itself has moved, "gatehouse hub remove" first, then "add" with a new key.`,
  );
