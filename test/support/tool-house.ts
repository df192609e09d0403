// A site whose tools a test runs, and whose time it passes.
import type { TestEngine } from './databases.ts';
import { aGuardedSite } from './security-suite.ts';
import { noon } from './site.ts';

const tools = '/api/secsuite/v1/tools';
const settings = '/api/secsuite/v1/settings';

export async function aToolHouse(engine: TestEngine) {
  let now = noon.getTime();
  const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
  const admin = site.as('administrator');
  await admin.get(tools);
  await site.app.services.jobs.settled(); // the schedules begin now
  return {
    site,
    suite,
    admin,
    services: site.app.services,
    run: (slug: string, form: unknown = {}) => admin.post(`${tools}/${slug}`, form),
    shown: async (slug: string) => (await admin.get(`${tools}/${slug}`)).body,
    logged: async (module: string) => {
      await suite.logs.flush();
      const { items } = await suite.logs.list({
        modules: [module],
        limit: 10,
        offset: 0,
        order: 'desc',
        orderBy: 'id',
      });
      return items.map(({ type, code }) => [type, code]);
    },
    sets: (module: string, values: object) => admin.patch(`${settings}/${module}`, values),
    later: async (milliseconds: number) => {
      now += milliseconds;
      await site.app.services.jobs.settled();
    },
  };
}
