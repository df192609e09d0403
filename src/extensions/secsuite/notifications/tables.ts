// How many mails of one kind were sent in an hour, among all processes: so that whoever is attacked is not flooded besides.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface NotificationTables {
  secsuite_notifications: { slug: string; hour: Instant; sent: number };
}

export const quietNotificationTables = ['secsuite_notifications'];

export const notificationMigrations: readonly Migration[] = [
  {
    name: '0001-suite-notifications',
    up: async ({ table, column }) => {
      await table('secsuite_notifications')
        .addColumn('slug', column.text, (c) => c.notNull())
        .addColumn('hour', column.instant, (c) => c.notNull())
        .addColumn('sent', column.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_notifications_key', ['slug', 'hour'])
        .execute();
    },
  },
];
