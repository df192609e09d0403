import type { Ask } from '#cli/command.ts';
import { allMigrations } from '#store/migrate.ts';
import { pendingOf, type StoreOptions } from '#store/store.ts';
import type { Config } from '../config.ts';

/** How the commands open the store of this configuration. */
export async function storeOptions({ data, database }: Config, { note }: Pick<Ask, 'note'>): Promise<StoreOptions> {
  const { tableOwners } = await import('../boot/tables.ts');
  const say = (_: object, message: string): void => note(message);
  return { data, database, tables: tableOwners(), log: { info: say, warn: say, error: say } };
}

/**
 * Whether no site was ever started there, or one that is older than this program, or one that this program can work with. Looking
 * makes nothing; a database that is not ours is refused by the store.
 */
export async function standing(config: Config, ask: Pick<Ask, 'note'>): Promise<'empty' | 'older' | 'ready'> {
  const options = await storeOptions(config, ask);
  const pending = await pendingOf(options);
  if (pending.length === 0) return 'ready';
  return pending.length === allMigrations(options.tables).length ? 'empty' : 'older';
}

export const holdsNothing = async (config: Config, ask: Pick<Ask, 'note'>): Promise<boolean> =>
  (await standing(config, ask)) === 'empty';
