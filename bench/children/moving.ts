// A site that an export file is moved into, and the memory that this takes on the way.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withImportLease } from '#site/transfer/import/import-lease.ts';
import { arriveFrom } from '#site/transfer/import/wxr/arrive.ts';
import { openSite } from '../../src/boot/open-site.ts';
import { readConfig } from '../../src/config.ts';
import { given, offer } from '../child.ts';
import { type MovingAsked, movingEnvironment, type Taken } from '../import-memory.ts';

const config = readConfig({ flags: { data: given<MovingAsked>().data }, env: movingEnvironment });
const { services, close } = await openSite(config, { info() {}, warn() {}, error() {} });
await services.identity.users.add({ login: 'ada', email: 'ada@mail.example', roles: ['administrator'] });
const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false };
const file = async () => undefined;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Each time some of the file was read. */
async function move(path: string): Promise<Taken> {
  const taken: Taken[number][] = [];
  const reading = (bytes: number, of: number) => {
    const rss = process.memoryUsage.rss();
    // What nobody holds any more is let go at times; often enough to know, seldom enough not to hold anything up.
    const isDue = Math.floor((20 * bytes) / of) > Math.floor((20 * (bytes - 2 ** 18)) / of);
    if (isDue) collect();
    taken.push({ rss, ...(isDue && { heap: process.memoryUsage().heapUsed }) });
  };
  await withImportLease(services, { holder: 'the bench', what: 'The bench' }, (store) =>
    arriveFrom(path, { ...services, store, url: config.url }, { ...how, file }, { reading, settling() {} }),
  );
  return taken;
}

offer({ move }, close);
