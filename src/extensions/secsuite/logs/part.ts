// The security log.
import { day } from '#lib/spans.ts';
import { part } from '../part.ts';
import type { Shared } from '../shared.ts';
import { about } from './named.ts';
import { logRoutes } from './routes.ts';
import { derivedLogTables, logMigrations, quietLogTables } from './tables.ts';

const purge = async ({ base, logs }: Pick<Shared, 'base' | 'logs'>, signal: AbortSignal) => {
  await logs.purge(signal);
  await logs.events.purge(base.clock(), signal);
};

export const logsPart = part({
  name: 'logs',
  tables: {
    migrations: logMigrations,
    quiet: quietLogTables,
    derived: derivedLogTables,
    leftOut: { secsuite_logs: ['secsuite_logs', 'secsuite_logs_data', 'secsuite_log_chain'] },
  },
  logged: {
    scheduler: {
      label: 'Scheduled tasks',
      codes: {
        'unhandled-exception': about('Scheduled task failed'),
        'unexpected-failure': about('Scheduled task had an unexpected result'),
      },
    },
  },
  tasks: [
    { name: 'purge-log-entries', every: day, run: purge },
    {
      name: 'log-checkpoint',
      every: day,
      isDue: ({ hasLogCheckpoints }: Pick<Shared, 'hasLogCheckpoints'>) => hasLogCheckpoints,
      run: ({ logs }: Pick<Shared, 'logs'>) => logs.checkpoint(),
    },
  ],
  routes: ({ tools, gate, facts }) => ({ v1: logRoutes(tools, gate.manager, facts.logNames) }),
});
