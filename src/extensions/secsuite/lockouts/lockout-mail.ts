// The mail that says who was locked out, and what the summary says of lockouts.
//
// Who is attacked from very many addresses has very many lockouts. So many of these mails are sent in an hour of the clock, among all
// processes; the summary counts the others, as it counts all.
import { hour } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { subnetIn } from '../addresses/block.ts';
import { minute } from '../base.ts';
import type { Writer } from '../notifications/scheduled.ts';
import type { Send } from '../notifications/sending.ts';
import type { NotificationTables } from '../notifications/tables.ts';
import { type Lockout, subjectOf } from './lockout.ts';
import type { Struck } from './striking.ts';

export const lockoutMailsInAnHour = 20;

interface LockoutMailDeps {
  readonly store: Store<NotificationTables>;
  readonly clock: Clock;
  readonly send: Send;
  /** Whether anybody is to be told at all. */
  isWanted(): boolean;
  loginOf(user: number): Promise<string>;
}

export function createLockoutMail({ store, clock, send, isWanted, loginOf }: LockoutMailDeps) {
  return async ({ lockouts, banned, strike, reason }: Pick<Struck, 'lockouts' | 'banned' | 'strike' | 'reason'>) => {
    if (!isWanted() || !(await isSpared({ store, clock }, 'lockout', lockoutMailsInAnHour))) return;
    const lines = await Promise.all(lockouts.map((one) => lineOf(one, loginOf)));
    if (banned !== undefined) lines.push(`The IP address ${subnetIn(strike.address)}: banned permanently.`);
    const told = [...lines, `Why: ${reason.reason}`].join('\n');
    await send('lockout', { text: `${told}\n\n${wayBack(lockouts, strike.address, banned !== undefined)}` });
  };
}

async function lineOf(lockout: Lockout, loginOf: LockoutMailDeps['loginOf']): Promise<string> {
  const subject = subjectOf(lockout);
  const until = `until ${minute(lockout.expire)}.`;
  if (subject.kind === 'host') return `The IP address ${subject.host}: locked out ${until}`;
  const name = subject.kind === 'user' ? await loginOf(subject.user) : subject.username;
  return `${subject.kind === 'user' ? 'The account' : 'The name'} ${name}: locked out ${until}`;
}

/** What the machine is told, where it was one of those who belong here. */
function wayBack(lockouts: readonly Lockout[], address: string, isBanned: boolean): string {
  const hasAccount = lockouts.some((one) => subjectOf(one).kind !== 'host');
  const range = isBanned && subnetIn(address) !== address ? ' --ranges' : '';
  const commands = [
    ...(isBanned || !hasAccount ? [`gatehouse security unblock ${address}${range}`] : []),
    ...(hasAccount ? ['gatehouse security unblock --all'] : []),
  ];
  return `No action is needed. If this was a user of your site, ask your site operator to run:\n${commands.join('\n')}`;
}

interface Lockouts {
  since(moment: Date): Promise<{ hosts: number; users: number }>;
}

/** Nothing, where nothing happened. */
export const digestOf =
  ({ since }: Lockouts): Writer =>
  async (moment, waiting) => {
    const { hosts, users } = await since(moment);
    if (hosts + users + waiting.length === 0) return undefined;
    const lines = [
      moment.getTime() > 0 ? `Since ${minute(moment)}:` : 'Until now:',
      `Locked-out IP addresses: ${hosts}.`,
      `Locked-out accounts: ${users}.`,
    ];
    return { text: [lines.join('\n'), ...waiting].join('\n\n') };
  };

interface SparingDeps {
  readonly store: Store<NotificationTables>;
  readonly clock: Clock;
}

/** Counts one more. False when it is one too many. */
export async function isSpared({ store, clock }: SparingDeps, slug: string, most: number): Promise<boolean> {
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
