// Which mails the suite sends, to whom and how often; and how that reads, with the defaults of each notification filled in.
// What a notification may be set to depends on which there are.
import type { Module, SettingSchema, SettingsOf } from '../module.ts';
import { hidden, settingsCard, unavailable } from '../setting-schemas.ts';
import type { Notification } from './notification.ts';

const times = hidden({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 }, default: {} });

/** Users by id, and roles. */
const contacts = {
  type: 'array',
  items: {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^role:\\S+$' },
    ],
  },
} as const satisfies SettingSchema;

const addresses = { type: 'array', items: { type: 'string', format: 'email' } } as const satisfies SettingSchema;

const notification = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean', default: true },
    subject: { type: ['null', 'string'] },
    message: { type: ['null', 'string'], format: 'html' },
    schedule: { type: 'string' },
    recipient_type: { type: 'string', enum: ['default', 'custom'] },
    user_list: contacts,
    // A list, or one address a line. Which of them are none, the room says of all at once.
    email_list: { type: ['string', 'array'], items: { type: 'string' } },
    previous_emails: addresses,
  },
} as const satisfies SettingSchema;

export const notificationCenter = {
  id: 'notification-center',
  type: 'custom',
  standing: 'always-active',
  title: 'Notifications',
  description: 'Choose which emails are sent, to whom, and how often.',
  help: 'Each notification goes to the default recipients, unless it has its own. You can write your own subject and text, with placeholders.',
  settings: settingsCard({
    properties: {
      last_sent: times,
      resend_at: times,
      data: hidden({ type: 'object', additionalProperties: { type: 'object' }, default: {} }),
      last_mail_error: { type: 'string', default: '', readonly: true },
      from_email: {
        type: 'string',
        oneOf: [{ format: 'email' }, { enum: [''] }],
        default: '',
        title: 'Sender',
        description: 'Sender address of the emails. If empty, the default of the site.',
      },
      default_recipients: {
        type: 'object',
        additionalProperties: false,
        required: ['user_list'],
        properties: { user_list: { ...contacts, minItems: 1 } },
        default: { user_list: ['role:administrator'] },
        title: 'Default recipients',
        description: 'Recipients of notifications that have no recipients of their own.',
      },
      notifications: {
        type: 'object',
        additionalProperties: notification,
        default: {},
        title: 'Notifications',
        description: 'Settings of each notification.',
      },
      admin_emails: unavailable(hidden({ ...addresses, default: [] })),
    },
    ours: ['last_sent', 'resend_at', 'data', 'last_mail_error'],
    onboard: ['default_recipients'],
    import: ['from_email', 'default_recipients'],
  }),
} satisfies Module;

export type CenterSettings = SettingsOf<typeof notificationCenter>;

/** What people may set of one; what they did not is as usual. */
export type NotificationSettings = CenterSettings['notifications'][string];

declare module '../settings/types.ts' {
  interface ModuleSettings {
    'notification-center': CenterSettings;
  }
}

/** A user by number, or a role as `role:editor`. */
export type Contact = number | string;

export const id = 'notification-center';

interface Usual {
  readonly user_list: readonly Contact[];
  readonly email_list: readonly string[];
}

/** One of them, whole. */
export function settledOf(notification: Notification, said: NotificationSettings = {}, usual: Usual) {
  const { schedule, subject, message, optional, recipient } = notification;
  return {
    ...(schedule && { schedule: said.schedule ?? schedule.default }),
    ...(subject !== undefined && { subject: said.subject ?? subject }),
    ...(message !== undefined && { message: said.message ?? message }),
    ...(optional !== undefined && { enabled: said.enabled ?? optional }),
    ...(recipient.startsWith('user-list') && {
      user_list: said.user_list ?? usual.user_list,
      recipient_type: said.recipient_type ?? 'default',
      ...(said.previous_emails && { previous_emails: said.previous_emails }),
    }),
    ...(recipient === 'email-list' && { email_list: said.email_list ?? usual.email_list }),
  };
}

/** All there are; those of modules that do not run now stay as they were set. */
export const withUsual = (
  settings: CenterSettings,
  notifications: readonly Notification[],
  email_list: readonly string[],
): CenterSettings => ({
  ...settings,
  notifications: {
    ...settings.notifications,
    ...Object.fromEntries(
      notifications.map((one) => [
        one.slug,
        settledOf(one, settings.notifications[one.slug], { ...settings.default_recipients, email_list }),
      ]),
    ),
  },
});
