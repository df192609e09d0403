// A user who has another number stays a recipient of notifications.
import type { Settings, Values } from '../settings/types.ts';

const center = 'notification-center';

export async function renumberedIn(settings: Pick<Settings, 'keep'>, from: number, to: number): Promise<void> {
  await settings.keep(center, ({ default_recipients, notifications }) => ({
    default_recipients: moved(default_recipients as Values, from, to),
    notifications: Object.fromEntries(
      Object.entries(notifications as Readonly<Record<string, Values>>).map(([slug, one]) => [
        slug,
        moved(one, from, to),
      ]),
    ),
  }));
}

const moved = (values: Values, from: number, to: number): Values =>
  Array.isArray(values.user_list)
    ? { ...values, user_list: values.user_list.map((one) => (one === from ? to : one)) }
    : values;
