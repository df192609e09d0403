// Bans as a site has them: read when it starts, asked for every request, and made while it runs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openStore } from '#store/store.ts';
import { addressOf, written } from '../../src/extensions/secsuite/addresses/block.ts';
import { createBans } from '../../src/extensions/secsuite/bans/bans.ts';
import { createEnforced, type Enforced } from '../../src/extensions/secsuite/bans/enforced.ts';
import { anAddress, type BansPlace, drawing, fill, manyBans, owner } from '../ban-rows.ts';
import { given, offer } from '../child.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const log = { info() {}, warn() {}, error() {} };
const place = given<BansPlace>();
const store = await openStore({ ...place, tables: [owner], log });

let stop = new AbortController();
let enforced: Enforced | undefined;
const asked = asking();

function asking(): readonly string[] {
  const draw = drawing(2);
  return Array.from({ length: 100_000 }, (_, at) => {
    const isNew = at % 2 === 1;
    return written({ family: isNew ? 6 : 4, words: anAddress(draw, isNew), bits: isNew ? 128 : 32 });
  });
}

const now = (): number => performance.timeOrigin + performance.now();

offer(
  {
    fill: () => fill(place),
    async load() {
      stop.abort();
      stop = new AbortController();
      enforced = undefined;
      const began = performance.now();
      const loading = createEnforced({ store, failed: (error) => console.error(error), stopping: stop.signal });
      await loading.ready;
      if (loading.size < manyBans) throw new Error(`Only ${loading.size} bans were read.`);
      enforced = loading;
      return { done: loading.size, milliseconds: performance.now() - began };
    },
    memory() {
      collect();
      return process.memoryUsage.rss();
    },
    check() {
      const began = performance.now();
      let found = 0;
      for (const address of asked) if (enforced?.over(address) !== undefined) found += 1;
      if (found === 0) throw new Error('Nothing was banned.');
      return { done: asked.length, milliseconds: performance.now() - began };
    },
    /** When it stood. */
    async add(address: string) {
      const isAuthorised = () => false;
      const bans = createBans({ store, clock: () => new Date(), enforced: enforced!, isAuthorised });
      const began = now();
      await bans.add({ block: addressOf(address)!, actor: null, comment: '' });
      return { at: now(), milliseconds: now() - began };
    },
    /** When it is enforced here. */
    async until(address: string) {
      while (enforced?.over(address) === undefined) await new Promise((turn) => setImmediate(turn));
      return now();
    },
  },
  async () => {
    stop.abort();
    await store.close();
  },
);
