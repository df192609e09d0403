// What may be asked of notifications.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Center } from './center.ts';
import { type Notification, type Period, periodsOf } from './notification.ts';

interface Use {
  readonly center: Pick<Center, 'present' | 'contacts'>;
}

export function notificationRoutes(
  { route, t, withStatus }: Toolkit<Use>,
  manager: Access<undefined, Use, object>,
): Route[] {
  return [
    route({
      method: 'GET',
      path: 'notification-center/notifications',
      summary: 'List the notifications, by name',
      access: manager,
      answers: { 200: t.map(notificationSchema({ t })) },
      handle: ({ use }) =>
        withStatus(200, Object.fromEntries(use.center.present().map((one) => [one.slug, shown(one)]))),
    }),
    route({
      method: 'GET',
      path: 'notification-center/available-users-roles',
      summary: 'List the possible recipients of notifications',
      access: manager,
      answers: {
        200: t.object({
          users: t.list(t.object({ value: t.integer(), label: t.string() })),
          roles: t.list(t.object({ value: t.string(), label: t.string() })),
        }),
      },
      handle: ({ use }) => use.center.contacts(),
    }),
  ];
}

const called: Readonly<Record<Period, string>> = { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' };

const notificationSchema = ({ t }: Pick<Toolkit<Use>, 't'>) =>
  t.object({
    recipient: t.string(),
    schedule: t.anyOf([t.string(), t.free()]),
    subject_editable: t.boolean(),
    message_editable: t.boolean(),
    optional: t.anyOf([t.boolean(), t.object({ default: t.untyped() })]),
    tags: t.list(t.string()),
    module: t.string(),
    slug: t.string(),
    l10n: t.object(
      {
        label: t.string(),
        description: t.string(),
        subject: t.optional(t.string()),
        message: t.optional(t.string()),
        schedule: t.optional(t.list(t.object({ value: t.string(), label: t.string() }))),
      },
      { additionalProperties: true },
    ),
  });

function shown(one: Notification) {
  const { slug, module, recipient, schedule, subject, message, optional, tags, label, description } = one;
  return {
    recipient,
    schedule: schedule ? { ...schedule, setting_only: false } : 'none',
    subject_editable: subject !== undefined,
    message_editable: message !== undefined,
    optional: optional === undefined ? false : { default: optional },
    tags: Object.keys(tags ?? {}),
    module,
    slug,
    l10n: {
      label,
      description,
      ...(subject !== undefined && { subject }),
      ...(message !== undefined && { message }),
      ...(tags && { tags }),
      ...(schedule && { schedule: periodsOf(one).map((value) => ({ value, label: called[value] })) }),
    },
  };
}
