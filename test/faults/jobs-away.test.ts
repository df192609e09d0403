import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#lib/failures.ts';
import { createJobs } from '#site/jobs/create.ts';
import type { Job } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createSeal } from '#site/platform/seal.ts';
import { openStore } from '#store/store.ts';
import { keptLog, testEngine } from '#test/databases.ts';
import { startPostgres } from '#test/postgres.ts';

async function over(jobs: Jobs, id: string): Promise<Job | undefined> {
  for (let look = 0; look < 400; look++) {
    const job = await jobs.find(id).catch(() => undefined);
    if (job && job.status !== 'queued' && job.status !== 'running') return job;
    await pause(50);
  }
  return jobs.find(id);
}

describe('PostgreSQL stopped and started under jobs', () => {
  const folders = testEngine('sqlite');

  test('what runs waits and goes on, what ended meanwhile is written down, and nobody is told of a bug', async () => {
    const server = await startPostgres();
    const { data } = await folders.place();
    const log = keptLog();
    const store = await openStore({ data, database: server.url, tables: [jobTables], log });
    const jobs = createJobs({ store, clock: () => new Date(), seal: createSeal(randomBytes(32)), log });
    const away = Promise.withResolvers<void>();
    const many = jobs.kind<null>({
      name: 'test.many',
      about: 'Does many items',
      async run(_, work) {
        await work.total(60);
        await work.each(() => Array.from({ length: 60 }, (_, at) => at), {
          key: String,
          async do(item) {
            if (item === 5) await server.halt().then(away.resolve);
            await pause(10);
          },
        });
      },
    });
    const brief = jobs.kind<null>({
      name: 'test.brief',
      about: 'Ends while the store is away',
      async run() {
        await away.promise;
        return { ended: true };
      },
    });
    const [first, second] = [await many.add(null), await brief.add(null)];
    jobs.start();
    await away.promise;
    await pause(1_500);
    await assert.rejects(brief.add(null), (error) => error instanceof Unavailable);
    await server.start();
    const [one, other] = [await over(jobs, first), await over(jobs, second)];
    assert.deepEqual([one?.status, one?.done, one?.failed, one?.attempt], ['done', 60, 0, 1]);
    assert.deepEqual([other?.status, other?.result], ['done', { ended: true }]);
    const third = await over(jobs, await brief.add(null));
    assert.equal(third?.status, 'done');
    assert.deepEqual(
      log.lines.filter(({ level }) => level === 'error'),
      [],
    );
    await jobs.stop();
    await store.close();
    await server.stop();
  });
});
