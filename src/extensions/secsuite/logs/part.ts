// The security log.
import { createHash } from 'node:crypto';
import { day } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { dismissal } from '../notices/notice.ts';
import { part } from '../part.ts';
import type { Shared } from '../shared.ts';
import { about } from './named.ts';
import { noteRetentionRun } from './retention-clock.ts';
import { logRoutes } from './routes.ts';
import { derivedLogTables, type LogTables, logMigrations, quietLogTables } from './tables.ts';

const purge = async ({ base, logs }: Pick<Shared, 'base' | 'logs'>, signal: AbortSignal) => {
  const now = base.clock();
  const { isPlausible, isJump, before } = await noteRetentionRun(base.store as unknown as Store<LogTables>, now);
  if (isJump) logs.write({ module: 'core', code: 'retention-waits', type: 'warning', data: { before } });
  if (!isPlausible) return;
  await logs.purge(signal);
  await logs.events.purge(now, signal);
};

const newestOf = { modules: ['core'], limit: 1, offset: 0, order: 'desc', orderBy: 'id' } as const;

/** Writes an entry if the log was changed, deleted or added to. What was found before is not written again. */
async function verify({ logs }: Pick<Shared, 'logs'>, signal: AbortSignal): Promise<void> {
  const { faults, faultCount, foreign } = await logs.verify(signal);
  const count = faultCount + foreign.length;
  if (count === 0) return;
  const found = createHash('sha256')
    .update(JSON.stringify([faults, foreign]))
    .digest('hex')
    .slice(0, 16);
  const code = `log-changed::${count},${found}`;
  if ((await logs.list({ ...newestOf, codes: [code] })).total > 0) return;
  logs.write({ module: 'core', code, type: 'critical-issue', data: { faults, foreign } });
}

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
  notices: [
    async ({ logs, hrefOf }: Pick<Shared, 'logs' | 'hrefOf'>, { dismiss }) => {
      const [newest] = (await logs.list({ ...newestOf, codes: ['log-changed%', 'log-entries-changed%'] })).items;
      return (
        newest && {
          id: 'log-changed',
          severity: 'error',
          title: 'The security log was changed',
          message: `Entries of the security log were changed, deleted or inserted in the database. <a href="${hrefOf('neutral', `/secsuite/v1/logs/${newest.id}`)}">See which</a>.`,
          at: newest.created_at,
          actions: { dismiss: dismissal('log-changed', dismiss) },
        }
      );
    },
  ],
  tasks: [
    { name: 'purge-log-entries', every: day, run: purge },
    { name: 'verify-log', every: day, run: verify },
    {
      name: 'log-checkpoint',
      every: day,
      isDue: ({ hasLogCheckpoints }: Pick<Shared, 'hasLogCheckpoints'>) => hasLogCheckpoints,
      run: ({ logs }: Pick<Shared, 'logs'>) => logs.checkpoint(),
    },
  ],
  routes: ({ tools, gate, facts }) => ({ v1: logRoutes(tools, gate.manager, facts.logNames) }),
});
