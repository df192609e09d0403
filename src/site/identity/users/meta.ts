// What programs keep about a user, by registered keys.
import type { Reads } from '#store/handles.ts';
import type { IdentityTables } from '../tables.ts';
import type { Writing } from './rows.ts';

export async function metaOf(db: Reads<IdentityTables>, id: number): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('user_meta').select(['key', 'value']).where('user_id', '=', id).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

/** Null takes a value away. */
export async function keepMeta(tx: Writing, id: number, meta: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(meta)) {
    if (value === null) await tx.deleteFrom('user_meta').where('user_id', '=', id).where('key', '=', key).execute();
    else await keep(tx, id, key, JSON.stringify(value));
  }
}

const keep = (tx: Writing, user_id: number, key: string, value: string) =>
  tx
    .insertInto('user_meta')
    .values({ user_id, key, value })
    .onConflict((on) => on.columns(['user_id', 'key']).doUpdateSet({ value }))
    .execute();
