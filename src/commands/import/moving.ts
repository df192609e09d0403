// A move by a command, which has its turn as any other.
import { thisProcess } from '#site/platform/process-name.ts';
import type { SiteServices } from '#site/services.ts';
import { inTurn, readOnly, type TurnStore } from '#site/transfer/import/turn/turn.ts';
import type { Told } from './options.ts';

/** A dry run looks, whoever moves in meanwhile. */
export const moving = <R>(
  services: Pick<SiteServices, 'store' | 'clock'>,
  { dryRun }: Pick<Told, 'dryRun'>,
  what: string,
  work: (store: TurnStore) => Promise<R>,
): Promise<R> => (dryRun ? work(readOnly(services.store)) : inTurn(services, { holder: thisProcess(), what }, work));
