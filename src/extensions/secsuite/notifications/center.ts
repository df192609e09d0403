// The notification centre: which mails the suite sends, to whom and how often, and the sending of them.

import type { IdentityTables } from '#site/identity/tables.ts';
import { createSnapshot, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import { withFailureLog } from '../logs/failing.ts';
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/types.ts';
import { offered } from './contacts.ts';
import { guardNotifications } from './guarding.ts';
import type { Notification } from './notification.ts';
import { createScheduled, type Scheduled } from './scheduled.ts';
import { createSend, failed, type Send, type SendingNeeds, slugOf } from './sending.ts';
import { type CenterSettings, id, withUsual } from './shown.ts';
import type { NotificationTables } from './tables.ts';

/** The kind of job that sends what comes every so often. */
interface Use {
  readonly center: Pick<Center, 'sendDue'>;
}

export const notificationsJob = withFailureLog<null, Use>({
  name: 'security-suite.notifications',
  about: 'Sends the notifications of the security suite that are due',
  serving: true,
  lane: { name: 'security-suite.notifications', atOnce: 1 },
  run: async (_payload, _work, { center }) => center.sendDue(),
});

export interface Center
  extends Pick<Scheduled, 'writes' | 'queue' | 'sendDue'>,
    Pick<Snapshot<unknown>, 'isReady' | 'ready'> {
  /** Those there are now, by module. */
  present(): readonly Notification[];
  /** Whom a form offers as recipients. */
  contacts(): ReturnType<typeof offered>;
  send: Send;
  /** Whether managers want this notification. */
  isWanted(slug: string): boolean;
  /** A letter cannot be delivered. */
  undelivered(about: string, error: unknown): Promise<void>;
}

interface Needs extends Omit<SendingNeeds, 'find' | 'store' | 'settings' | 'adminEmail'> {
  readonly store: Store<IdentityTables & NotificationTables>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly switches: Pick<Switches, 'isRunning'>;
  /** The notifications that parts declare, whether their modules run or not. */
  readonly all: readonly Notification[];
  /** The address of the site, or of its first administrator when the site has none. */
  adminEmail(): Promise<string>;
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

const byModule = (one: Notification, other: Notification): number =>
  one.module < other.module ? -1 : Number(one.module > other.module);

export function createCenter({ all, switches, adminEmail, ...needs }: Needs): Center {
  const { store, settings, roles } = needs;
  const sorted = all.toSorted(byModule);
  const present = () => sorted.filter((one) => one.isThere?.({ switches, settings }) ?? true);
  const find = (slug: string) => present().find((one) => one.slug === slug);
  const send = createSend({ ...needs, find, adminEmail });
  const scheduled = createScheduled({ ...needs, send, present });
  // Whoever runs the site is told, where a list of addresses names nobody.
  const email = createSnapshot({ ...needs, tables: ['settings', 'users', 'user_roles'], load: adminEmail });
  const usual = () => (email.isReady && email.now !== '' ? [email.now] : []);
  guardNotifications({ settings, roles, present, usual });
  settings.shows(id, (values) => ({ ...withUsual(values as unknown as CenterSettings, present(), usual()) }));
  return {
    ...scheduled,
    get isReady() {
      return email.isReady;
    },
    ready: email.ready,
    present,
    send,
    contacts: () => offered(store.db, roles),
    isWanted: (slug) => settings.of<CenterSettings>(id).notifications[slug]?.enabled !== false,
    async undelivered(about, error) {
      const slug = slugOf(about);
      if (slug !== undefined) await failed(needs, slug, error);
    },
  };
}
