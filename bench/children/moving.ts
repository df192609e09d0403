// A site that an export file is moved into, and the memory that this takes on the way.
import { inTurn } from '#site/moving/turn/turn.ts';
import { arriveFrom } from '#site/moving/wxr/arrive.ts';
import { readConfig } from '../../src/config.ts';
import { openSite } from '../../src/opening.ts';
import { given, offer } from '../child.ts';
import { type MovingAsked, movingEnvironment, type Taken } from '../import-memory.ts';

const config = readConfig({ flags: { data: given<MovingAsked>().data }, env: movingEnvironment });
const { services, close } = await openSite(config, { info() {}, warn() {}, error() {} });
await services.identity.users.add({ login: 'ada', email: 'ada@mail.example', roles: ['administrator'] });
const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false };
const file = async () => undefined;

/** Each time some of the file was read. */
async function move(path: string): Promise<Taken> {
  const taken: Taken[number][] = [];
  const reading = () => {
    const { rss, heapUsed } = process.memoryUsage();
    taken.push({ rss, heap: heapUsed });
  };
  await inTurn(services, { holder: 'the bench', what: 'The bench' }, (store) =>
    arriveFrom(path, { ...services, store, url: config.url }, { ...how, file }, { reading, settling() {} }),
  );
  return taken;
}

offer({ move }, close);
