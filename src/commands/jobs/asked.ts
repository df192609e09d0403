// What the commands about jobs share.
import type { Job } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { Failed, type Word } from '../command.ts';

export const id: Word = { name: 'ID', meaning: 'The id of the job, as "gatehouse jobs list" shows it' };

export async function jobOf(jobs: Jobs, wanted: string): Promise<Job> {
  const job = await jobs.find(wanted);
  if (job === undefined) throw new Failed(`There is no job ${wanted}; jobs are kept for 7 days after they ended.`);
  return job;
}

export const isOver = ({ status }: Job): boolean => status !== 'queued' && status !== 'running';

/** `running, 40 of 100, 2 failed` */
export function stateOf({ kind, status, total, done, failed, errors }: Job, jobs: Jobs): string {
  const items = total > 0 ? [`${done + failed} of ${total}`] : [];
  const failures = failed > 0 ? [`${failed} failed`] : [];
  const idle = status === 'queued' && jobs.about(kind) === undefined ? ['nobody here does this kind'] : [];
  const again = status === 'queued' && errors.some(({ item }) => item === '') ? ['to be tried again'] : [];
  return [status, ...items, ...failures, ...idle, ...again].join(', ');
}
