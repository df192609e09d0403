// The kind of job that sends what comes every so often.
import type { Toolkit } from '#site/extension.ts';
import type { Center } from './center.ts';

interface Use {
  readonly center: Pick<Center, 'sendDue'>;
}

export const notificationsJob = ({ job }: Toolkit<Use>) =>
  job<null>({
    name: 'security-suite.notifications',
    about: 'Sends the notifications of the security suite that are due',
    serving: true,
    lane: { name: 'security-suite.notifications', atOnce: 1 },
    run: async (_payload, _work, { center }) => center.sendDue(),
  });
