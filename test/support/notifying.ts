// The notification centre of a whole suite, what it is set to over HTTP, and the mails that it sent.
import { hour } from '#lib/spans.ts';
import type { Lockout } from '../../src/extensions/secsuite/lockouts/lockout.ts';
import type { TestEngine } from './databases.ts';
import { mailsOf } from './mails.ts';
import { aGuardedSite } from './security-suite.ts';
import { noon } from './site.ts';

export const centerSettings = '/api/secsuite/v1/settings/notification-center';

export async function aNotifyingSite(engine: TestEngine) {
  let now = noon.getTime();
  const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
  const admin = site.as('administrator');
  await site.app.services.jobs.settled(); // the schedules begin now
  const change = async (notifications: object) => (await admin.patch(centerSettings, { notifications })).body;
  const seen = async () => (await admin.get(centerSettings)).body;
  const mails = () => mailsOf(site);
  const later = async (milliseconds: number) => {
    now += milliseconds;
    await site.app.services.jobs.settled();
  };
  const struck = (host: string) => ({
    lockouts: [
      {
        id: 1,
        type: 'brute_force',
        start: noon.toISOString(),
        expire: new Date(now + hour).toISOString(),
        host,
        subnet: host,
        user_id: null,
        username: null,
        context: '',
        active: 1,
        change: 1,
      } as Lockout,
    ],
    banned: undefined,
    strike: { type: 'brute_force', address: host },
    reason: { type: 'brute_force', label: '', reason: 'too many wrong passwords', host: 5, user: 5, period: 5 },
  });
  return { site, admin, suite, change, seen, mails, later, struck };
}
