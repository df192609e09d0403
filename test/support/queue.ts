// Jobs on an empty database, with a clock that a test moves, and further processes that share it.
import { randomBytes } from 'node:crypto';
import { createJobs } from '#site/jobs/create.ts';
import type { Jobs, JobsOptions } from '#site/jobs/jobs.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createSeal } from '#site/platform/seal.ts';
import type { AnyStore } from '#store/store.ts';
import { type KeptLog, keptLog, type TestEngine } from './databases.ts';
import { noon } from './site.ts';

export interface TestClock {
  (): Date;
  pass(milliseconds: number): void;
  in(milliseconds: number): Date;
}

export function testClock(): TestClock {
  let now = noon.getTime();
  return Object.assign(() => new Date(now), {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    in: (milliseconds: number) => new Date(now + milliseconds),
  });
}

export interface TestQueue {
  readonly jobs: Jobs;
  readonly store: AnyStore;
  readonly clock: TestClock;
  readonly log: KeptLog;
  /** As a second process has it: the same database and clock. */
  another(options?: Partial<JobsOptions>): Promise<TestQueue>;
}

export async function aQueue(engine: TestEngine, options: Partial<JobsOptions> = {}): Promise<TestQueue> {
  const [place, seal, clock] = [await engine.place([jobTables]), createSeal(randomBytes(32)), testClock()];
  const open = async (more: Partial<JobsOptions>): Promise<TestQueue> => {
    const log = keptLog();
    const store = await engine.store([jobTables], place);
    const jobs = createJobs({ store, clock, seal, log, ...more });
    engine.atEnd(() => jobs.stop());
    return { jobs, store, clock, log, another: (also = {}) => open({ ...more, ...also }) };
  };
  return open(options);
}
