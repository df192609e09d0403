// What sites send: how they are, and that they leave.

import { domainToUnicode } from 'node:url';
import { kernelErrors } from '#kernel/errors.ts';
import { fold } from '#lib/fold.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { hubErrors } from './errors.ts';
import { inventoryOf, type Told } from './inventory.ts';
import { type HearDeps, hear, type Signed } from './signers.ts';
import { eraseRows, type Membership } from './sites.ts';
import type { HubTables, Writing } from './tables.ts';

/** What a site is told. */
export interface Heard {
  readonly membership: Membership;
  readonly hub_site_id: number;
  readonly name: string;
}

export type Syncs = ReturnType<typeof createSyncs>;

interface SyncDeps extends HearDeps {
  readonly store: Store<HubTables & IdentityTables>;
}

export function createSyncs({ store, ...deps }: SyncDeps) {
  /** The site that sent it, if it is the one that the key belongs to; each message counts once. */
  const receive = async (tx: Writing, { site: id, marks }: Signed, domain: string) => {
    await hear(tx, deps, id, marks);
    const site = await tx.selectFrom('hub_sites').selectAll().where('id', '=', id).executeTakeFirst();
    if (site === undefined) throw hubErrors.hubSiteNotFound(id);
    const address = addressIn(domain);
    if (site.address !== null && site.address !== address) throw hubErrors.alreadyRegistered(site.address);
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
          synced_at: instant(deps.clock()),
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

// Where a site is: written one way, so that it is the same whenever it is told, and found in whatever way people write it.

function addressIn(domain: string): string {
  const address = URL.parse(domain);
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (address === null || !isWeb || address.username !== '' || address.password !== '')
    throw kernelErrors
      .invalidParam('`domain` must be the URL of the site and begin with https://.')
      .with({ params: { domain: '`domain` must be the URL of a site, for example https://example.org.' } });
  return `${address.origin}${address.pathname.replace(/\/$/, '')}`;
}

/** An address is kept in letters that every machine knows; people look for it in those of their language. */
function addressKeyOf(address: string): string {
  const { protocol, hostname, port, pathname } = new URL(address);
  const host = domainToUnicode(hostname) || hostname;
  const spelt = `${protocol}//${host}${port && `:${port}`}${decoded(pathname)}`;
  return [...new Set([address, spelt].map(fold))].join('\n');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
