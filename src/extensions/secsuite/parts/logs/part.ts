// The security log.
import { day } from '#lib/spans.ts';
import { about } from '../../logs/named.ts';
import { logRoutes } from '../../logs/routes.ts';
import { derivedLogTables, logMigrations, quietLogTables } from '../../logs/tables.ts';
import { part } from '../../part.ts';

export const logsPart = part({
  name: 'logs',
  tables: {
    migrations: logMigrations,
    quiet: quietLogTables,
    derived: derivedLogTables,
    leftOut: { secsuite_logs: ['secsuite_logs', 'secsuite_logs_data'] },
  },
  logged: {
    scheduler: {
      label: 'Scheduled work',
      codes: {
        'unhandled-exception': about('Scheduled work failed'),
        'unexpected-failure': about('Scheduled work did not do what it should'),
      },
    },
  },
  tasks: [{ name: 'purge-log-entries', every: day, run: ({ logs }, signal) => logs.purge(signal) }],
  routes: ({ tools, gate, logNames }) => ({ v1: logRoutes(tools, gate.manager, logNames) }),
});
