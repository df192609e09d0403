// So many mails of one kind in an hour of the clock, and no more.
import { hour } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { NotificationTables } from './tables.ts';

interface Needs {
  readonly store: Store<NotificationTables>;
  readonly clock: Clock;
}

/** Counts one more. False when it is one too many. */
export async function isSpared({ store, clock }: Needs, slug: string, most: number): Promise<boolean> {
  const now = instant(new Date(Math.floor(clock().getTime() / hour) * hour));
  return store.write(async (tx) => {
    await tx.deleteFrom('secsuite_notifications').where('hour', '<', now).execute();
    const { sent } = await tx
      .insertInto('secsuite_notifications')
      .values({ slug, hour: now, sent: 1 })
      .onConflict((on) =>
        on.columns(['slug', 'hour']).doUpdateSet((eb) => ({ sent: eb('secsuite_notifications.sent', '+', 1) })),
      )
      .returning('sent')
      .executeTakeFirstOrThrow();
    return sent <= most;
  });
}
