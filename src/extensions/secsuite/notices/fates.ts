// What became of notices: dismissed, put off, muted.

import type { Clock } from '#site/platform/clock.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { NoticeTables } from './tables.ts';

export type Fate = Omit<NoticeTables['secsuite_notices'], 'id'>;

export interface Fates {
  all(): Promise<ReadonlyMap<string, Fate>>;
  dismiss(id: string): Promise<void>;
  putOff(id: string, milliseconds: number): Promise<void>;
  mute(ids: Readonly<Record<string, boolean>>): Promise<void>;
}

interface Needs {
  readonly store: Store<NoticeTables>;
  readonly clock: Clock;
}

export function createFates({ store, clock }: Needs): Fates {
  const keep = (changes: Readonly<Record<string, Partial<Fate>>>): Promise<void> =>
    store.write(async (tx) => {
      for (const [id, change] of Object.entries(changes))
        await tx
          .insertInto('secsuite_notices')
          .values({ id, hidden_until: null, dismissed_at: null, muted: 0, ...change })
          .onConflict((on) => on.column('id').doUpdateSet(change))
          .execute();
    });
  return {
    async all() {
      const rows = await store.db.selectFrom('secsuite_notices').selectAll().execute();
      return new Map(rows.map(({ id, ...fate }) => [id, fate]));
    },
    dismiss: (id) => keep({ [id]: { dismissed_at: instant(clock()) } }),
    putOff: (id, milliseconds) => keep({ [id]: { hidden_until: instant(new Date(clock().getTime() + milliseconds)) } }),
    mute: (ids) => keep(Object.fromEntries(Object.entries(ids).map(([id, muted]) => [id, { muted: flag(muted) }]))),
  };
}

/** Whether it is shown, whatever became of it. */
export function isShown({ at }: { readonly at?: string }, fate: Fate | undefined, now: Date): boolean {
  if (fate === undefined) return true;
  if (fate.hidden_until !== null && fate.hidden_until > instant(now)) return false;
  return fate.dismissed_at === null || (at !== undefined && at > fate.dismissed_at);
}
