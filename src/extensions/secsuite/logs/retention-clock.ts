// Retention deletes by the clock, and a clock can be wrong. What it deletes does not come back.
import { day, hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { LogTables } from './tables.ts';

/** Retention runs once a day. After a longer gap the clock may have jumped. */
const longestGap = 2 * day;
/** Runs are not exactly a day apart. */
const nearlyADay = 23 * hour;
const only = 1;

export interface RetentionRun {
  /** Whether the clock has gone on as expected since the run before, and for a day since it last did not. */
  readonly isPlausible: boolean;
  /** Whether this run is the first to see a jump of the clock. */
  readonly isJump: boolean;
  /** When it ran before; undefined for the first run. */
  readonly before: string | undefined;
}

const isWithin = (from: string, now: Date, span: number): boolean => {
  const gap = now.getTime() - Date.parse(from);
  return gap >= 0 && gap <= span;
};

/** Notes that retention runs now. */
export const noteRetentionRun = (store: Pick<Store<LogTables>, 'write'>, now: Date): Promise<RetentionRun> =>
  store.write(async (tx) => {
    const last = await tx.selectFrom('secsuite_log_retention').selectAll().executeTakeFirst();
    const isExpected = last !== undefined && isWithin(last.ran_at, now, longestGap);
    const since = isExpected ? last.waits_since : instant(now);
    const isWaiting = since !== null && isWithin(since, now, nearlyADay);
    const row = { ran_at: instant(now), waits_since: isWaiting ? since : null };
    await tx
      .insertInto('secsuite_log_retention')
      .values({ id: only, ...row })
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute();
    return { isPlausible: !isWaiting, isJump: last !== undefined && !isExpected, before: last?.ran_at };
  });
