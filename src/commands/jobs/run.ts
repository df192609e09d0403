import type { Jobs } from '#site/jobs/jobs.ts';
import { type Ask, type Command, Failed } from '../command.ts';
import { dataSettings, inSite } from '../opened.ts';
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

async function one(jobs: Jobs, wanted: string, ask: Ask): Promise<void> {
  const job = await jobOf(jobs, wanted);
  if (isOver(job)) throw new Failed(`The job ended before: it is ${job.status}.`);
  if (jobs.about(job.kind) === undefined) throw new Failed(`Nobody here does jobs of the kind ${job.kind}.`);
  if (!(await jobs.work(wanted))) throw new Failed(`The job cannot be begun now: it is ${stateOf(job, jobs)}.`);
  ask.out(`${job.kind}: ${stateOf(await jobOf(jobs, wanted), jobs)}`);
}

async function all(jobs: Jobs, ask: Ask): Promise<void> {
  await jobs.settled();
  const { ended } = await jobs.figures();
  if (ended.length === 0) ask.note('Nothing is due.');
  for (const { kind, status, jobs: some } of ended) ask.out(`${kind}: ${some} ${status}`);
}

/** Whoever presses Ctrl-C gets what is not finished put back, for whoever does it next. */
function stopped(jobs: Jobs, { note }: Ask) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => {
    note('What is not finished goes back into the queue.');
    void jobs.stop().then(resolve);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const forget = (): void => void process.off('SIGINT', stop).off('SIGTERM', stop);
  return { promise, forget };
}

export const command: Command = {
  name: 'jobs run',
  about:
    'Does what is due, here and now, until nothing is left; or one job alone. Ctrl-C puts back what is not finished.',
  settings: dataSettings,
  words: [{ ...id, optional: true }],
  run: (ask) =>
    inSite(ask, async ({ jobs }) => {
      const wanted = ask.words[id.name];
      const stop = stopped(jobs, ask);
      let isDone = false;
      const work = (wanted === undefined ? all(jobs, ask) : one(jobs, wanted, ask)).finally(() => {
        isDone = true;
      });
      const ended = Promise.race([work, stop.promise]).finally(() => {
        isDone = true;
      });
      try {
        await Promise.all([ended, following(async () => (isDone ? undefined : stateOfAll(jobs)), ask)]);
      } finally {
        stop.forget();
      }
    }),
};
