// Requests that wait for a background job.
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import type { Jobs } from '#site/jobs/jobs.ts';

/** How long a request waits. */
const patience = 5 * minute;
const lookAgainAfter = 250;

/** Waits for the job, also if another process does it. Throws `tooLong` if it failed or did not end in time. */
export async function jobResult(
  jobs: Pick<Jobs, 'work' | 'find'>,
  job: string,
  tooLong: string,
): Promise<Readonly<Record<string, unknown>>> {
  const until = performance.now() + patience;
  while (performance.now() < until) {
    await jobs.work(job);
    const { status, result } = (await jobs.find(job)) ?? {};
    if (status === 'done') return { ...result };
    if (status !== 'queued' && status !== 'running') break;
    await pause(lookAgainAfter);
  }
  throw new Unavailable(tooLong);
}
