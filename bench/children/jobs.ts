// Jobs that do nothing, done by the queue of the site.
import { randomBytes } from 'node:crypto';
import { createJobs } from '#site/jobs/create.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createSeal } from '#site/platform/seal.ts';
import { openStore } from '#store/store.ts';
import { given, offer } from '../child.ts';
import type { JobsAsked } from '../jobs.ts';

const log = { info() {}, warn() {}, error() {} };
const store = await openStore({ ...given<JobsAsked>(), tables: [jobTables], log });
const jobs = createJobs({ store, clock: () => new Date(), seal: createSeal(randomBytes(32)), log });
let ran = 0;
const queue = jobs.kind<{ letter: number }>({
  name: 'bench.nothing',
  about: 'Does nothing',
  run: async () => {
    ran += 1;
  },
});

offer(
  {
    fill: ({ many }: { many: number }) =>
      store.write(async (tx, during) => {
        for (let letter = 0; letter < many; letter++) await queue.addIn(tx, during, { letter });
      }),
    async work() {
      const [started, before] = [performance.now(), ran];
      await jobs.settled();
      return { done: ran - before, milliseconds: performance.now() - started };
    },
  },
  async () => {
    await jobs.stop();
    await store.close();
  },
);
