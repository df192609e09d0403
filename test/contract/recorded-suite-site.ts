// The site that the recordings of the security suite were made on, as far as they tell.
import type { TestEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import type { TestSite } from '#test/site.ts';
import type { Suite } from '../../src/extensions/secsuite/parts.ts';

/** What was on there, and is not where nobody says so. */
const switchedOn = ['two-factor', 'passwordless-login', 'privilege', 'fingerprinting', 'file-change', 'geolocation'];

/** The highest number of a user that is asked about. */
const people = 21;

/** What its log holds at first: some of anything. */
const entry = { module: 'site-scanner', code: 'scan', type: 'process-start', data: { site_id: 0 } } as const;
const entries = 11;

const logs = new WeakMap<TestSite, Suite['logs']>();

/** Resolves once all that was logged can be read. */
export const logged = (site: TestSite): Promise<void> => logs.get(site)!.flush();

export async function aRecordedSuite(engine: TestEngine): Promise<TestSite> {
  const [site, suite] = await aGuardedSite(engine);
  await site.set('site', { email: 'admin@example.test' });
  const admin = site.as('administrator');
  for (const id of switchedOn) await admin.put(`/api/secsuite/v1/modules/${id}`, { status: { selected: 'active' } });
  await site.credentials('subscriber');
  for (let id = 3; id <= people; id += 1) await site.user({ login: `user${id - 1}`, roles: ['contributor'] });
  for (let count = 0; count < entries; count += 1) suite.logs.write(entry);
  logs.set(site, suite.logs);
  await logged(site);
  return site;
}
