// What a deployment file may say about the hub. The operator sets nothing else.
import { operatorSettings, type Usual } from '#config/setting.ts';
import type { AnyStore } from '#store/store.ts';

// Whether a hub was ever served from a store: its tables are in every one.

/** Only a hub that is served forgets what it heard. */
export const sweepName = 'hub.sweep';

export async function wasServed({ db }: Pick<AnyStore, 'db'>): Promise<boolean> {
  const swept = await db.selectFrom('schedules').select('name').where('name', '=', sweepName).executeTakeFirst();
  return swept !== undefined;
}

/** Defaults of its commands. */
export const usual: Usual = { data: './hub', port: '8081', deployment: 'hub' };

export const config = operatorSettings({
  name: 'hub',
  namespaces: ['hub/v1'],
  separate: { kind: 'hub', command: 'hub serve', usual },
  served: { schedule: sweepName, table: 'hub_sites' },
  settings: {},
  toOperator: () => ({}),
});
