// Sending a notification: to whom it goes as it is set, with its texts filled in, and what is written down of it.

import type { Mail } from '#site/email/mail.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { About } from '#site/platform/about.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import { peopleOf } from './contacts.ts';
import { subjectWith, textWith } from './message.ts';
import type { Notification } from './notification.ts';
import { id, settledOf } from './settings.ts';

/** What is to be told. */
export interface Telling {
  /** For a notification whose recipient the sender knows. */
  readonly to?: string | readonly string[];
  /** What its placeholders stand for, besides those of the site. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Instead of the subject it is set to have. */
  readonly subject?: string;
  /** Plain text, below the one it is set to have. */
  readonly text?: string;
  /** The same, made for each account of a list of users. */
  readonly textFor?: (user: number) => string;
  /** Somebody waits for it, and whoever sends it bounds how often. */
  readonly awaited?: true;
}

/** Answers to how many it went. One that is not there, or that nobody wants, goes to nobody. What fails is written down and thrown. */
export type Send = (slug: string, telling: Telling) => Promise<number>;

export interface SendingNeeds {
  readonly store: Pick<Store<IdentityTables>, 'db'>;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly roles: Roles;
  readonly mail: Pick<Mail, 'send'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly log: Pick<Log, 'error'>;
  about(): Pick<About, 'title' | 'url'> | Promise<Pick<About, 'title' | 'url'>>;
  /** The address of whoever runs the site. */
  adminEmail(): Promise<string>;
  find(slug: string): Notification | undefined;
}

export function createSend(needs: SendingNeeds): Send {
  const { settings, mail, about, find } = needs;
  return async (slug, telling) => {
    const notification = find(slug);
    if (notification === undefined) return 0;
    const center = settings.of(id);
    const set = settledOf(notification, center.notifications[slug], { ...center.default_recipients, email_list: [] });
    if (set.enabled === false) return 0;
    try {
      const { title, url } = await about();
      const tags = { site_title: title, site_url: url, ...telling.tags };
      const subject = `[${title}] ${subjectWith(telling.subject ?? set.subject ?? notification.label, tags)}`;
      const textTo = (user: number | undefined): string =>
        [set.message && textWith(set.message, tags), telling.text, user && telling.textFor?.(user)]
          .filter(Boolean)
          .join('\n\n');
      const to = await recipients(needs, notification, set, telling);
      const from = center.from_email;
      for (const [address, user] of to)
        await mail.send({
          to: address,
          subject,
          text: textTo(user),
          about: `${about_}${slug}`,
          ...(from !== '' && { from }),
          ...(telling.awaited && { awaited: telling.awaited }),
        });
      if (to.size > 0) needs.logs.write(entry(`send::${slug}`, 'debug', { recipients: to.size, subject }));
      return to.size;
    } catch (error) {
      await failed(needs, slug, error);
      throw error;
    }
  };
}

/** By which a letter that cannot be delivered is known to be of the suite. */
const about_ = 'secsuite ';

/** What of a letter says of which notification it is; nothing for one of somebody else. */
export const slugOf = (about: string): string | undefined =>
  about.startsWith(about_) ? about.slice(about_.length) : undefined;

/** Addresses, each with the id of its account where the list is one of users. */
async function recipients(
  { store, roles, settings, adminEmail }: SendingNeeds,
  { recipient }: Notification,
  set: ReturnType<typeof settledOf>,
  { to = [] }: Telling,
): Promise<Map<string, number | undefined>> {
  const { default_recipients } = settings.of(id);
  const without = (addresses: readonly string[]) => addresses.map((address) => [address, undefined] as const);
  const found = async (): Promise<readonly (readonly [string, number | undefined])[]> => {
    if (recipient === 'admin') return without([await adminEmail()]);
    if (recipient === 'email-list')
      return without(set.email_list?.length ? [set.email_list].flat() : [await adminEmail()]);
    if (!recipient.startsWith('user-list')) return without([to].flat());
    const contacts = set.recipient_type === 'custom' ? (set.user_list ?? []) : default_recipients.user_list;
    return (await peopleOf(store.db, roles, contacts)).map((person) => [person.email, person.id] as const);
  };
  return new Map((await found()).filter(([address]) => address !== ''));
}

const entry = (code: string, type: 'debug' | 'error', data: object) => ({
  module: 'notification_center',
  code,
  type,
  data,
});

/** A letter names nobody in what it says of its failure. */
export async function failed(
  { logs, settings, log }: Pick<SendingNeeds, 'logs' | 'settings' | 'log'>,
  slug: string,
  error: unknown,
): Promise<void> {
  const why = error instanceof Error ? error.message : String(error);
  logs.write(entry(`send_failed::${slug}`, 'error', { error: why }));
  await settings
    .keep(id, { last_mail_error: why })
    .catch((other) => log.error({ err: other }, 'The error of a notification could not be stored.'));
}
