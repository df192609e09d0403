// Which mails the suite sends, to whom and how often. What a notification may be set to depends on which there are.
import type { Module, SettingSchema } from '../module.ts';
import { hidden, settingsCard, unavailable } from '../setting-schemas.ts';

const times = hidden({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 }, default: {} });

/** Users by id, and roles. */
const contacts: SettingSchema = {
  type: 'array',
  items: {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^role:\\S+$' },
    ],
  },
};

const addresses: SettingSchema = { type: 'array', items: { type: 'string', format: 'email' } };

const notification: SettingSchema = {
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
};

export const notificationCenter: Module = {
  id: 'notification-center',
  type: 'custom',
  standing: 'always-active',
  title: 'Notifications',
  description: 'Which mails are sent, to whom, and how often.',
  help: 'Each notification goes to the usual recipients, unless it has its own. Subject and text can be your own, with placeholders for what differs.',
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
        description: 'The address the mails come from. Left empty, the usual one of the site.',
      },
      default_recipients: {
        type: 'object',
        additionalProperties: false,
        required: ['user_list'],
        properties: { user_list: { ...contacts, minItems: 1 } },
        default: { user_list: ['role:administrator'] },
        title: 'Usual recipients',
        description: 'Who gets the notifications that have no recipients of their own.',
      },
      notifications: {
        type: 'object',
        additionalProperties: notification,
        default: {},
        title: 'Notifications',
        description: 'How each of them is set.',
      },
      admin_emails: unavailable(hidden({ ...addresses, default: [] })),
    },
    ours: ['last_sent', 'resend_at', 'data', 'last_mail_error'],
    onboard: ['default_recipients'],
    import: ['from_email', 'default_recipients'],
  }),
};
