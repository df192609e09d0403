// The kind of job that runs the tools of a schedule.
import { withFailureLog } from '../logs/failing.ts';
import type { Tools } from './tools.ts';

interface Use {
  readonly tools: Pick<Tools, 'runScheduled'>;
}

export const toolsJob = withFailureLog<{ readonly schedule: string }, Use>({
  name: 'security-suite.tools',
  about: 'Runs the tools of the security suite whose time has come',
  serving: true,
  lane: { name: 'security-suite.tools', atOnce: 1 },
  run: async ({ schedule }, _work, { tools }) => tools.runScheduled(schedule),
});
