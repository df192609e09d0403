// A move by a command, which has its turn as any other.
import { thisProcess } from '#site/platform/leases.ts';
import type { SiteServices } from '#site/services.ts';
import { type LeasedStore, readOnlyStore, withImportLease } from '#site/transfer/import/import-lease.ts';
import type { Told } from './options.ts';

/** A dry run looks, whoever moves in meanwhile. */
export const moving = <R>(
  services: Pick<SiteServices, 'store' | 'clock'>,
  { dryRun }: Pick<Told, 'dryRun'>,
  what: string,
  work: (store: LeasedStore) => Promise<R>,
): Promise<R> =>
  dryRun ? work(readOnlyStore(services.store)) : withImportLease(services, { holder: thisProcess(), what }, work);
