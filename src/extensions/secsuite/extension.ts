// The security suite: it keeps out who should not come in, and tells who manages the site.
import { hour } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import { head } from './head.ts';
import { notificationsJob } from './notifications/job.ts';
import { routes } from './routes.ts';
import { createSuite, type Suite } from './suite.ts';
import { tables } from './tables.ts';
import { userActionsJob } from './user-actions/job.ts';

export const secsuite: Entry<Suite> = (tools) => {
  const acting = userActionsJob(tools);
  const notifying = notificationsJob(tools);
  return {
    name: 'security-suite',
    title: 'Security suite',
    about: 'Keeps out who should not come in, and tells who manages the site.',
    tables,
    needs: ['userSearch'],
    jobs: {
      kinds: [acting, notifying],
      schedules: [{ name: 'security-suite.notifications', every: hour, add: ({ notifyLater }) => notifyLater() }],
    },
    nouns: (services) =>
      createSuite(services, { acting: services.queueOf(acting), notifying: services.queueOf(notifying) }),
    ends: (suite) => suite.end(),
    guards: (suite) => suite.guards,
    checks: (suite) => suite.checks,
    pages: (suite, house) => suite.pages(house),
    index: { site: { multisite: false }, namespaces: { 'secsuite/v1': head } },
    routes: (_, suite) => routes(tools, suite),
  };
};
