import type { Jobs } from '#site/jobs/jobs.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, Failed } from '../command.ts';
import { inSite } from '../opened.ts';
import { id, isOver, jobOf, stateOf } from './asked.ts';
import { following } from './progress.ts';

const mostShown = 5;

/** `mail.deliver 3 of 40; 120 more wait` */
async function stateOfAll(jobs: Jobs): Promise<string> {
  const [running, { waiting }] = [await jobs.list({ status: 'running', most: mostShown }), await jobs.figures()];
  const shown = running.map((job) => `${job.kind} ${job.total > 0 ? `${job.progress} %` : '…'}`);
  const more = waiting.filter(({ status }) => status === 'queued').reduce((sum, { jobs: some }) => sum + some, 0);
  return `${shown.join(', ') || 'Nothing runs'}; ${more} wait`;
}

const isLeft = (jobs: Jobs, kind: string): boolean => jobs.about(kind) !== undefined && !jobs.does(kind);

/** `3 of mail.deliver` */
async function leftToSite(jobs: Jobs): Promise<string[]> {
  const { waiting } = await jobs.figures();
  const left = waiting.filter(({ kind, status }) => status === 'queued' && isLeft(jobs, kind));
  return left.map(({ kind, jobs: some }) => `${some} of ${kind}`);
}

/** Does it, and answers what is to be told of it. */
async function one(jobs: Jobs, wanted: string): Promise<string[]> {
  const job = await jobOf(jobs, wanted);
  if (isOver(job)) throw new Failed(`The job ended before: it is ${job.status}.`);
  if (isLeft(jobs, job.kind))
    throw new Failed(`Jobs of the kind ${job.kind} are done by the site alone, while it serves.`);
  if (jobs.about(job.kind) === undefined) throw new Failed(`Nobody here does jobs of the kind ${job.kind}.`);
  if (!(await jobs.work(wanted))) throw new Failed(`The job cannot be begun now: it is ${stateOf(job, jobs)}.`);
  return [`${job.kind}: ${stateOf(await jobOf(jobs, wanted), jobs)}`];
}

async function all(jobs: Jobs, { note }: Ask): Promise<string[]> {
  await jobs.settled();
  const left = await leftToSite(jobs);
  if (left.length > 0) note(`Left to the site, which does them while it serves: ${left.join(', ')}.`);
  return (await jobs.figures()).ended.map(({ kind, status, jobs: some }) => `${kind}: ${some} ${status}`);
}

/** Whoever presses Ctrl-C gets what is not finished put back, for whoever does it next. */
function stopped(jobs: Jobs, { note }: Ask) {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const stop = (): void => {
    note('What is not finished goes back into the queue.');
    void jobs.stop().then(() => resolve([]));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const forget = (): void => void process.off('SIGINT', stop).off('SIGTERM', stop);
  return { promise, forget };
}

export const command: Command = {
  name: 'jobs run',
  about:
    'Does what is due, here and now, until nothing is left; or one job alone. Mail is left to the site. Ctrl-C puts back what is not finished.',
  settings: flagNames,
  words: [{ ...id, optional: true }],
  run: (ask) =>
    inSite(ask, async ({ jobs }) => {
      jobs.leaveToSite();
      const wanted = ask.words[id.name];
      const stop = stopped(jobs, ask);
      let isDone = false;
      const work = Promise.race([wanted === undefined ? all(jobs, ask) : one(jobs, wanted), stop.promise]).finally(
        () => {
          isDone = true;
          stop.forget();
        },
      );
      const [lines] = await Promise.all([work, following(async () => (isDone ? undefined : stateOfAll(jobs)), ask)]);
      for (const line of lines) ask.out(line);
      if (lines.length === 0) ask.note('Nothing was done.');
    }),
};
