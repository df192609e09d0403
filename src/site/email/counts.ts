// How many messages one address is sent in an hour, so that nothing the site does floods a mailbox.
import type { Transaction } from 'kysely';
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Clock } from '../platform/clock.ts';
import type { MailTables } from './tables.ts';

const mostInAnHour = 60;

const hourOf = (date: Date): Date => new Date(Math.floor(date.getTime() / hour) * hour);

/** Counts one more to this address. False when it is one too many in this hour of the clock. */
export async function countedIn(tx: Transaction<MailTables>, address: string, clock: Clock): Promise<boolean> {
  const { messages } = await tx
    .insertInto('mail_counts')
    .values({ address: address.toLowerCase(), hour: instant(hourOf(clock())), messages: 1 })
    .onConflict((on) =>
      on.columns(['address', 'hour']).doUpdateSet((eb) => ({ messages: eb('mail_counts.messages', '+', 1) })),
    )
    .returning('messages')
    .executeTakeFirstOrThrow();
  return messages <= mostInAnHour;
}

export async function forgetCounts(tx: Transaction<MailTables>, now: Date): Promise<void> {
  await tx
    .deleteFrom('mail_counts')
    .where('hour', '<', instant(hourOf(now)))
    .execute();
}
