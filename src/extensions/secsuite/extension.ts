// The security suite: it keeps out who should not come in, and tells who manages the site.
import { day, hour } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import type { OwnCheck } from '#site/health/check.ts';
import { strayHeaderCheck } from './client/health.ts';
import { config } from './config.ts';
import { errandsJob } from './errands.ts';
import { written } from './failing.ts';
import { head } from './head.ts';
import { notificationsJob } from './notifications/job.ts';
import { breachedCheck } from './passwords/passwords.ts';
import { routes } from './routes.ts';
import { createSuite, type Suite } from './suite.ts';
import { tables } from './tables.ts';
import { toolsJob } from './tools/job.ts';
import { userActionsJob } from './user-actions/job.ts';

const breachedPasswords: OwnCheck<Suite> = { ...breachedCheck, look: ({ passwords }) => passwords.look() };

export const secsuite: Entry<Suite> = (tools) => {
  const acting = written(userActionsJob(tools));
  const notifying = written(notificationsJob(tools));
  const erranding = written(errandsJob(tools), ({ errand }) => errand);
  const tooling = written(toolsJob(tools));
  return {
    name: 'security-suite',
    config,
    title: 'Security suite',
    about: 'Keeps out who should not come in, and tells who manages the site.',
    tables,
    needs: ['userSearch'],
    jobs: {
      kinds: [acting, notifying, erranding, tooling],
      schedules: [
        { name: 'security-suite.backup', every: hour, add: ({ errandLater }) => errandLater('backup') },
        { name: 'security-suite.file-change', every: day, add: ({ errandLater }) => errandLater('file-change') },
        { name: 'security-suite.purge-lockouts', every: day, add: ({ errandLater }) => errandLater('purge-lockouts') },
        {
          name: 'security-suite.purge-log-entries',
          every: day,
          add: ({ errandLater }) => errandLater('purge-log-entries'),
        },
        { name: 'security-suite.notifications', every: hour, add: ({ notifyLater }) => notifyLater() },
        { name: 'security-suite.flush-files', every: hour, add: ({ toolsLater }) => toolsLater('flush-files') },
        { name: 'security-suite.server-ips', every: day, add: ({ toolsLater }) => toolsLater('identify-server-ips') },
        { name: 'security-suite.check', every: day, add: ({ toolsLater }) => toolsLater('security-check-pro') },
      ],
    },
    nouns: (services) =>
      createSuite(services, {
        acting: services.queueOf(acting),
        notifying: services.queueOf(notifying),
        erranding: services.queueOf(erranding),
        tooling: services.queueOf(tooling),
      }),
    ends: (suite) => suite.end(),
    guards: (suite) => suite.guards,
    checks: (suite) => suite.checks,
    counts: async ({ statistics, enforced }) => ({ lockouts_24h: await statistics.ofDay(), bans: enforced.size }),
    client: (suite) => suite.detector,
    health: { checks: [strayHeaderCheck(tools), breachedPasswords], remotes: ({ passwords }) => passwords.remotes() },
    on: { 'user.deleted': ({ user }, { groups }) => groups.forget(user.id) },
    pages: (suite, house) => suite.pages(house),
    index: { site: { multisite: false }, namespaces: { 'secsuite/v1': head } },
    routes: (_, suite, roles) => routes(tools, suite, roles),
  };
};
