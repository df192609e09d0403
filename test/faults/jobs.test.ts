import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eachEngine, keptLog, type Place } from '#test/databases.ts';
import { quickImports } from '#test/gatehouse.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { type Counted, countedJobs } from './job-runs.ts';

const random = seededRandom();

// Fewer while one works on it; the suite runs all.
const JOBS = Number(process.env.GATEHOUSE_FAULT_JOBS ?? 10_000);
const MIDST = 400; // ms within which the blow falls
const WORK = fileURLToPath(new URL('./work.ts', import.meta.url));

interface Worker {
  readonly process: ChildProcess;
  readonly gone: Promise<unknown>;
  complaints: string;
}

async function begin(place: Place): Promise<Worker> {
  const process_ = spawn(process.execPath, [...quickImports, WORK, JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const worker: Worker = { process: process_, gone: once(process_, 'close'), complaints: '' };
  process_.stderr.setEncoding('utf8').on('data', (text: string) => {
    worker.complaints += text;
  });
  await Promise.race([once(process_.stdout, 'data'), worker.gone]);
  assert.equal(process_.exitCode, null, worker.complaints);
  return worker;
}

async function end({ process: process_, gone }: Worker, signal: NodeJS.Signals): Promise<void> {
  process_.kill(signal);
  await gone;
}

async function fill({ store, queue }: Counted): Promise<void> {
  for (let from = 0; from < JOBS; from += 500) {
    const jobs = Array.from({ length: Math.min(500, JOBS - from) }, (_, at) => from + at + 1);
    await store.write(async (tx, during) => {
      const rows = jobs.map((job) => ({ job, inside: 0, by: 0, most: 0, times: 0 }));
      await tx.insertInto('job_runs').values(rows).execute();
      for (const job of jobs) await queue.addIn(tx, during, job);
    });
  }
}

const leftOf = async ({ jobs }: Counted): Promise<number> =>
  (await jobs.figures()).waiting.reduce((sum, { jobs: some }) => sum + some, 0);

eachEngine(`${JOBS} jobs, two processes, one of them killed again and again`, (engine) => {
  test('none is lost, and none runs twice at the same time', async () => {
    const place = await engine.place();
    const counted = await countedJobs(place, keptLog());
    engine.atEnd(() => counted.store.close());
    engine.atEnd(() => counted.jobs.stop());
    await fill(counted);
    const steady = await begin(place);
    let kills = 0;
    try {
      while ((await leftOf(counted)) > 0) {
        const victim = await begin(place);
        await pause(random() * MIDST);
        await end(victim, 'SIGKILL');
        kills += 1;
      }
    } finally {
      await end(steady, 'SIGTERM');
    }
    assert.equal(steady.complaints, '');
    assert.ok(kills > 1, 'somebody was killed');
    const unlike = counted.store.db.selectFrom('job_runs').selectAll();
    assert.deepEqual(await unlike.where('times', '<', 1).execute(), [], 'each was done');
    assert.deepEqual(await unlike.where('most', '>', 1).execute(), [], 'none by two at a time');
    assert.equal((await counted.jobs.list({ status: 'done', most: JOBS + 1 })).length, JOBS);
  });
});
