// How notifications are set, as it reads: with what is usual filled in for each there is.
import type { Notification } from './notification.ts';

/** What people may set of one; what they did not is as usual. */
export interface NotificationSettings {
  readonly enabled?: boolean;
  /** Nothing: as usual. */
  readonly subject?: string | null;
  readonly message?: string | null;
  readonly schedule?: string;
  readonly recipient_type?: 'default' | 'custom';
  readonly user_list?: readonly Contact[];
  readonly email_list?: string | readonly string[];
  readonly previous_emails?: readonly string[];
}

/** A user by number, or a role as `role:editor`. */
export type Contact = number | string;

export interface CenterSettings {
  readonly from_email: string;
  readonly default_recipients: { readonly user_list: readonly Contact[] };
  readonly notifications: Readonly<Record<string, NotificationSettings>>;
  /** In seconds, by slug. */
  readonly last_sent: Readonly<Record<string, number>>;
  readonly resend_at: Readonly<Record<string, number>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly last_mail_error: string;
}

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
