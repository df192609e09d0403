import { printable, printableJson } from '#lib/printable.ts';
import type { ItemError, Job } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, given, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { aligned } from '../table.ts';
import { id, isOver, jobOf, stateOf } from './asked.ts';
import { following } from './progress.ts';

/** So many reasons are read and printed at a time, however many there are. */
const atOnce = 500;

async function* errorsOf(jobs: Jobs, job: Job): AsyncGenerator<ItemError> {
  for (let skipped = 0; ; skipped += atOnce) {
    const page = await jobs.errors(job.id, { skipped, most: atOnce });
    yield* page;
    if (page.length < atOnce) return;
  }
}

const rows = (job: Job, jobs: Jobs): string[][] =>
  [
    ['Id', job.id],
    ['Kind', [job.kind, jobs.about(job.kind)].filter(Boolean).join(': ')],
    ['State', stateOf(job, jobs)],
    ['Progress', `${job.progress} %`],
    ['Begun', job.attempt === 1 ? 'once' : `${job.attempt} times`],
    ['Added', job.created_at],
    ['By', job.by === 0 ? 'the site' : `user ${job.by}`],
    ['Started', job.started_at ?? 'not yet'],
    isOver(job) ? ['Ended', job.finished_at ?? ''] : ['Due', job.run_at],
    ...(job.result === null ? [] : [['Result', JSON.stringify(job.result)]]),
  ].map((row) => row.map(printable));

async function print(jobs: Jobs, job: Job, { out }: Ask): Promise<void> {
  for (const line of aligned(rows(job, jobs))) out(line);
  for await (const { item, code, message } of errorsOf(jobs, job))
    out(printable(`${item === '' ? 'The job' : item}: ${message} (${code})`));
}

async function printJson(jobs: Jobs, job: Job, { out }: Ask): Promise<void> {
  const errors = await Array.fromAsync(errorsOf(jobs, job));
  out(printableJson({ ...job, errors }));
}

export const command: Command = {
  name: 'jobs show',
  about: 'Shows how far a job is, when it began and ended, and every reason why part of it failed.',
  settings: flagNames,
  words: [id],
  options: { follow: { meaning: 'Wait for its end, and show how far it is meanwhile' }, json },
  run: (ask) =>
    inSite(ask, async ({ jobs }) => {
      const wanted = given(ask.words, id.name);
      let job = await jobOf(jobs, wanted);
      if (ask.options.follow !== undefined) {
        await following(async () => {
          job = await jobOf(jobs, wanted);
          return isOver(job) ? undefined : `${job.kind}: ${stateOf(job, jobs)}, ${job.progress} %`;
        }, ask);
      }
      await (ask.options.json === undefined ? print : printJson)(jobs, job, ask);
    }),
};
