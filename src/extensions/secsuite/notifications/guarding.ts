// What is wrong with settings of notifications that somebody sends, and what is made of them before they are kept.
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '#kernel/problem.ts';
import { isEmailAddress } from '#lib/addresses.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';
import { suiteErrors } from '../errors.ts';
import type { Settings } from '../settings/types.ts';
import { type Strangers, strangersBy } from './contacts.ts';
import { allowedOf, tagsIn } from './message.ts';
import { type Notification, periodsOf } from './notification.ts';
import { type CenterSettings, type Contact, id, type NotificationSettings } from './settings.ts';

interface Needs {
  readonly settings: Pick<Settings, 'check' | 'along'>;
  readonly roles: Roles;
  /** Those there are now. */
  present(): readonly Notification[];
  /** The addresses of a list that nobody has set. */
  usual(): readonly string[];
}

export function guardNotifications({ settings, roles, present, usual }: Needs): void {
  /** Who is a contact is looked up where it is checked, and known by what was checked when it is kept. */
  const looked = new WeakMap<object, Strangers>();
  settings.check(id, async ({ before: was, after: will, db }) => {
    const strangers = await strangersBy(db as Reads<IdentityTables>, roles);
    looked.set(will.notifications, strangers);
    return [
      ...faultsOfDefault(was, will, strangers),
      ...present().flatMap((one) =>
        faultsOf(one, settledBefore(was, one), will.notifications[one.slug] ?? {}, strangers),
      ),
    ];
  });
  settings.along(id, (was, will) => {
    const strangers = looked.get(will.notifications) ?? (() => []);
    const kept = (one: Notification) => keptOf(one, will.notifications[one.slug] ?? {}, strangers, usual());
    const said = present().filter(({ slug }) => Object.hasOwn(will.notifications, slug));
    return {
      default_recipients: { user_list: without(will.default_recipients.user_list, strangers) },
      // What is not there now, and what nobody spoke of, stays as it was.
      notifications: {
        ...was.notifications,
        ...will.notifications,
        ...Object.fromEntries(said.map((one) => [one.slug, kept(one)])),
      },
    };
  });
}

function faultsOfDefault(was: CenterSettings, will: CenterSettings, strangers: Strangers): Problem[] {
  const [before, list] = [was.default_recipients.user_list, will.default_recipients.user_list];
  const unknown = strangers(list).filter((one) => !before.includes(one));
  if (unknown.length > 0) return [suiteErrors.defaultRecipientsInvalidContacts(some(unknown))];
  return without(list, strangers).length === 0 && list.length > 0 ? [suiteErrors.defaultRecipientsNonEmpty()] : [];
}

/** Without a list of its own, it showed the usual one. */
const settledBefore = ({ notifications, default_recipients }: CenterSettings, { slug }: Notification) => ({
  ...default_recipients,
  ...notifications[slug],
});

function faultsOf(
  notification: Notification,
  before: NotificationSettings,
  after: NotificationSettings,
  strangers: Strangers,
): Problem[] {
  const { recipient, tags = {}, message } = notification;
  const { user_list = [], email_list = [], schedule } = after;
  const faults: Problem[] = [];
  const unknown = strangers(user_list).filter((one) => !(before.user_list ?? []).includes(one));
  if (recipient.startsWith('user-list') && unknown.length > 0)
    faults.push(suiteErrors.userListInvalidContacts(some(unknown)));
  const wrong = recipient === 'email-list' ? listed(email_list).filter((one) => !isEmailAddress(one)) : [];
  if (wrong.length > 0) faults.push(suiteErrors.emailListInvalidEmails(some(wrong)));
  if (notification.schedule && schedule !== undefined && !periodsOf(notification).some((one) => one === schedule))
    faults.push(suiteErrors.unknownSchedule());
  const strange = message === undefined ? [] : tagsIn(after.message ?? '').filter((name) => !Object.hasOwn(tags, name));
  if (strange.length > 0) faults.push(suiteErrors.unknownTags(some(strange)));
  return faults;
}

/** So many are listed, and so much of each. */
const [most, longest] = [20, 64];
const some = (all: readonly Contact[]): string =>
  all
    .slice(0, most)
    .map((one) => String(one).slice(0, longest))
    .join(', ');

const without = (contacts: readonly Contact[], strangers: Strangers): Contact[] => {
  const gone = new Set(strangers(contacts));
  return [...new Set(contacts)].filter((one) => !gone.has(one));
};

const listed = (addresses: string | readonly string[]): string[] =>
  (typeof addresses === 'string' ? addresses.split(/\r\n|\r|\n/) : addresses)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Only what it can be set to; what is as usual anyway is not kept, so that it follows what is usual. */
function keptOf(
  notification: Notification,
  said: NotificationSettings,
  strangers: Strangers,
  usual: readonly string[],
): NotificationSettings {
  const { schedule, subject, message, optional, recipient } = notification;
  const emails = listed(said.email_list ?? []);
  return {
    ...(schedule && said.schedule !== undefined && { schedule: said.schedule }),
    ...(subject !== undefined && { subject: unless(said.subject, subject) }),
    ...(message !== undefined && { message: unless(said.message && allowedOf(said.message), allowedOf(message)) }),
    ...(optional !== undefined && said.enabled !== undefined && { enabled: said.enabled }),
    ...(recipient.startsWith('user-list') && {
      ...(said.recipient_type && { recipient_type: said.recipient_type }),
      ...(said.user_list && { user_list: without(said.user_list, strangers) }),
      ...(said.previous_emails && { previous_emails: said.previous_emails }),
    }),
    ...(recipient === 'email-list' && !isDeepStrictEqual(emails, usual) && emails.length > 0 && { email_list: emails }),
  };
}

const unless = (said: string | null | undefined, usual: string): string | null =>
  said === undefined || said === null || said.trim() === '' || said === usual ? null : said;
