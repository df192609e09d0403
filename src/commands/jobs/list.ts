import { printable, printableJson } from '#lib/printable.ts';
import type { Job, Status } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, json, WrongUse } from '../command.ts';
import { inSite } from '../opened.ts';
import { aligned } from '../table.ts';
import { stateOf } from './asked.ts';

const most = 50;
const statuses: readonly Status[] = ['queued', 'running', 'done', 'failed', 'cancelled'];

function statusIn({ options: { status } }: Ask): Status | undefined {
  const known = statuses.find((one) => one === status);
  if (status === undefined || known !== undefined) return known;
  throw new WrongUse(
    `There is no status ${status}; a job is ${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}.`,
  );
}

const cells = (job: Job, jobs: Jobs): string[] =>
  [job.id, job.kind, job.created_at.slice(0, 19).replace('T', ' '), stateOf(job, jobs)].map(printable);

export const command: Command = {
  name: 'jobs list',
  about: `Lists the newest ${most} jobs, the newest first. Jobs are kept for 7 days after they ended.`,
  settings: flagNames,
  options: {
    status: { value: 'status', meaning: `Only those that are ${statuses.join(', ')}` },
    kind: { value: 'kind', meaning: 'Only those of this kind' },
    json,
  },
  run: async (ask) => {
    const status = statusIn(ask);
    const { kind } = ask.options;
    return inSite(ask, async ({ jobs }) => {
      const listed = await jobs.list({ most, ...(status && { status }), ...(kind !== undefined && { kind }) });
      if (ask.options.json !== undefined) return ask.out(printableJson(listed));
      if (listed.length === 0) return ask.note('There are no such jobs.');
      for (const line of aligned([['ID', 'KIND', 'SINCE', 'STATE'], ...listed.map((job) => cells(job, jobs))]))
        ask.out(line);
    });
  },
};
