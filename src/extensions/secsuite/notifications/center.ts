// The notification centre: which mails the suite sends, to whom and how often, and the sending of them.

import type { Services } from '#site/extension.ts';
import { createSnapshot, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Base } from '../base.ts';
import { withFailureLog } from '../logs/failing.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/switches.ts';
import { firstAdministratorEmail, offered } from './contacts.ts';
import { guardNotifications } from './guarding.ts';
import type { Notification } from './notification.ts';
import { createScheduled, type Scheduled } from './scheduled.ts';
import { createSend, failed, type Send, slugOf } from './sending.ts';
import { id, withUsual } from './settings.ts';

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
  /** Logs that an email could not be delivered, and keeps why. */
  undelivered(about: string, error: unknown): Promise<void>;
  /** Has a background job send the notifications that are due. */
  sendLater(): Promise<unknown>;
  /** Whether managers want this notification. */
  isWanted(slug: string): boolean;
}

interface CenterDeps {
  readonly base: Base;
  readonly settings: Settings;
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly logs: Logs;
  /** The notifications that parts declare, whether their modules run or not. */
  readonly all: readonly Notification[];
}

const byModule = (one: Notification, other: Notification): number =>
  one.module < other.module ? -1 : Number(one.module > other.module);

export function createCenter(services: Services, { base, settings, switches, logs, all }: CenterDeps): Center {
  const { store, log, mail, about, siteGroup } = services;
  const { roles } = services.identity;
  const sorted = all.toSorted(byModule);
  const present = () => sorted.filter((one) => one.isThere?.({ switches, settings }) ?? true);
  const find = (slug: string) => present().find((one) => one.slug === slug);
  /** The address of the site, or of its first administrator when the site has none. */
  const adminEmail = async () =>
    (await services.settings.read(siteGroup)).email || firstAdministratorEmail(store.db, roles);
  const send = createSend({ store, settings, roles, mail, logs, log, about, adminEmail, find });
  const scheduled = createScheduled({ settings, clock: base.clock, log, logs, send, present });
  // Whoever runs the site is told, where a list of addresses names nobody.
  const tables = ['settings', 'users', 'user_roles'];
  const email = createSnapshot({ ...base, tables, load: adminEmail, failed: base.failed('Recipients') });
  const usual = () => (email.isReady && email.now !== '' ? [email.now] : []);
  guardNotifications({ settings, roles, present, usual });
  settings.shows(id, (values) => withUsual(values, present(), usual()));
  const queue = services.queueOf(notificationsJob);
  const undelivered: Center['undelivered'] = async (about, error) => {
    const slug = slugOf(about);
    if (slug !== undefined) await failed({ logs, settings, log }, slug, error);
  };
  base.stopping.addEventListener('abort', mail.onLost(undelivered));
  return {
    ...scheduled,
    get isReady() {
      return email.isReady;
    },
    ready: email.ready,
    present,
    send,
    undelivered,
    sendLater: () => queue.add(null, { key: 'all', alone: 'security-suite.notifications' }),
    contacts: () => offered(store.db, roles),
    isWanted: (slug) => settings.of(id).notifications[slug]?.enabled !== false,
  };
}
