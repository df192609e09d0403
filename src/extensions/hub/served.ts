// Whether a hub was ever served from a store: its tables are in every one.
import type { AnyStore } from '#store/store.ts';

/** Only a hub that is served forgets what it heard. */
export const sweepName = 'hub.sweep';

export async function wasServed({ db }: Pick<AnyStore, 'db'>): Promise<boolean> {
  const swept = await db.selectFrom('schedules').select('name').where('name', '=', sweepName).executeTakeFirst();
  return swept !== undefined;
}
