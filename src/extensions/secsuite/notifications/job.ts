// The kind of job that sends what comes every so often.
import { withFailureLog } from '../logs/failing.ts';
import type { Center } from './center.ts';

interface Use {
  readonly center: Pick<Center, 'sendDue'>;
}

export const notificationsJob = withFailureLog<null, Use>({
  name: 'security-suite.notifications',
  about: 'Sends the notifications of the security suite that are due',
  serving: true,
  lane: { name: 'security-suite.notifications', atOnce: 1 },
  run: async (_payload, _work, { center }) => center.sendDue(),
});
