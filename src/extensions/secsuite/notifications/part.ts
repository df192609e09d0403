// Emails that the suite sends, and what is set of them.
import { hour } from '#lib/spans.ts';
import { about } from '../logs/named.ts';
import { part } from '../part.ts';
import { notificationsJob } from './center.ts';
import { notificationRoutes } from './routes.ts';
import { notificationCenter } from './settings.ts';
import { notificationMigrations, quietNotificationTables } from './tables.ts';

export const notificationsPart = part({
  name: 'notifications',
  modules: [notificationCenter],
  tables: { migrations: notificationMigrations, quiet: quietNotificationTables },
  notifications: [
    {
      slug: 'digest',
      module: '',
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'weekly', default: 'daily' },
      label: 'Summary',
      description: 'Reports the number of lockouts and other events of the last day or week.',
      subject: 'Summary of your site',
      optional: true,
    },
  ],
  logged: {
    notification_center: {
      label: 'Notifications',
      codes: {
        send: about('Notification sent'),
        send_failed: about('Notification not sent'),
        send_scheduled: 'Scheduled notifications sent',
      },
    },
  },
  highlights: {
    'notification-center-send-failed': {
      module: 'notification-center',
      title: 'An email was not delivered',
      message: 'A notification could not be sent. <a href="{{ $view }}">See why</a>.',
      found: { modules: ['notification_center'], codes: ['send_failed%'] },
    },
  },
  jobs: {
    kinds: [notificationsJob],
    schedules: [
      {
        name: 'security-suite.notifications',
        every: hour,
        add: ({ center }) => center.sendLater(),
      },
    ],
  },
  routes: ({ tools, gate }) => ({ rpc: notificationRoutes(tools, gate.manager) }),
});
