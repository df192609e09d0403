// The commands about jobs.

import { setTimeout as after } from 'node:timers/promises';
import { type Ask, type Command, Failed, type Family, given, json, type Word, WrongUse } from '#cli/command.ts';
import type { OutputStream } from '#cli/io.ts';
import { aligned } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import type { ItemError, Job, Status } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';

const id: Word = { name: 'ID', meaning: 'Id of the job, as "gatehouse jobs list" shows it' };

async function jobOf(jobs: Jobs, wanted: string): Promise<Job> {
  const job = await jobs.find(wanted);
  if (job === undefined) throw new Failed(`Job ${wanted} does not exist; jobs are deleted 7 days after they end.`);
  return job;
}

const isOver = ({ status }: Job): boolean => status !== 'queued' && status !== 'running';

/** `running, 40 of 100, 2 failed` */
function stateOf({ kind, status, total, done, failed, errors }: Job, jobs: Jobs): string {
  const items = total > 0 ? [`${done + failed} of ${total}`] : [];
  const failures = failed > 0 ? [`${failed} failed`] : [];
  const idle = status === 'queued' && jobs.about(kind) === undefined ? ['no active extension runs this kind'] : [];
  const again = status === 'queued' && errors.some(({ item }) => item === '') ? ['will be retried'] : [];
  return [status, ...items, ...failures, ...idle, ...again].join(', ');
}

const most = 50;
const statuses: readonly Status[] = ['queued', 'running', 'done', 'failed', 'cancelled'];

function statusIn({ options: { status } }: Ask): Status | undefined {
  const known = statuses.find((one) => one === status);
  if (status === undefined || known !== undefined) return known;
  throw new WrongUse(
    `Status ${status} does not exist; a job is ${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}.`,
  );
}

const cells = (job: Job, jobs: Jobs): string[] =>
  [job.id, job.kind, job.created_at.slice(0, 19).replace('T', ' '), stateOf(job, jobs)].map(printable);

const list: Command = {
  name: 'jobs list',
  about: `Lists the newest ${most} jobs, newest first. Jobs are deleted 7 days after they end.`,
  options: {
    status: { value: 'status', meaning: `Only jobs with this status: ${statuses.join(', ')}` },
    kind: { value: 'kind', meaning: 'Only jobs of this kind' },
    json,
  },
  run: async (ask) => {
    const status = statusIn(ask);
    const { kind } = ask.options;
    return ask.inSite(async ({ jobs }) => {
      const listed = await jobs.list({ most, ...(status && { status }), ...(kind !== undefined && { kind }) });
      if (ask.options.json !== undefined) return ask.out(printableJson(listed));
      if (listed.length === 0) return ask.note('No jobs found.');
      for (const line of aligned([['ID', 'KIND', 'SINCE', 'STATE'], ...listed.map((job) => cells(job, jobs))]))
        ask.out(line);
    });
  },
};

const looks = 200;
const plainEvery = 10_000;

/** Tells how far something is until there is nothing more to say: on a terminal in one line that changes, elsewhere now and then. */
async function following(look: () => Promise<string | undefined>, { note, io: { stderr } }: Pick<Ask, 'note' | 'io'>) {
  const isTTY = stderr.isTTY === true;
  let said = { line: '', at: performance.now() };
  try {
    for (;;) {
      const line = await look();
      if (line === undefined) return;
      const isDue = line !== said.line && (isTTY || performance.now() - said.at >= plainEvery);
      if (isDue) {
        said = { line, at: performance.now() };
        if (isTTY) stderr.write(`\r\x1b[K${fitting(printable(line), stderr)}`);
        else note(printable(line));
      }
      await after(looks);
    }
  } finally {
    if (isTTY && said.line !== '') stderr.write('\r\x1b[K');
  }
}

/** A line that breaks could not be written over. */
const fitting = (line: string, { columns = 80 }: OutputStream): string => line.slice(0, Math.max(20, columns - 1));

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
    ['Attempts', String(job.attempt)],
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

const show: Command = {
  name: 'jobs show',
  about: 'Shows the progress of a job, when it started and ended, and its errors.',
  words: [id],
  options: { follow: { meaning: 'Show the progress until the job ends' }, json },
  run: (ask) =>
    ask.inSite(async ({ jobs }) => {
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

const cancel: Command = {
  name: 'jobs cancel',
  about: 'Cancels a job. A queued job ends at once, a running job after its current item.',
  words: [id],
  run: (ask) =>
    ask.inSite(async ({ jobs }) => {
      const wanted = given(ask.words, id.name);
      if (!(await jobs.cancel(wanted))) {
        const { status } = await jobOf(jobs, wanted);
        throw new Failed(`The job ended already: it is ${status}.`);
      }
      const { status } = await jobOf(jobs, wanted);
      ask.out(status === 'running' ? 'The job ends after its current item.' : 'The job is cancelled.');
    }),
};

const mostShown = 5;

/** `mail.deliver 3 of 40; 120 more wait` */
async function stateOfAll(jobs: Jobs): Promise<string> {
  const [running, { waiting }] = [await jobs.list({ status: 'running', most: mostShown }), await jobs.figures()];
  const shown = running.map((job) => `${job.kind} ${job.total > 0 ? `${job.progress} %` : '…'}`);
  const more = waiting.filter(({ status }) => status === 'queued').reduce((sum, { jobs: some }) => sum + some, 0);
  return `${shown.join(', ') || 'No job is running'}; ${more} queued`;
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
  if (isOver(job)) throw new Failed(`The job ended already: it is ${job.status}.`);
  if (isLeft(jobs, job.kind)) throw new Failed(`Only a running site does jobs of the kind ${job.kind}.`);
  if (jobs.about(job.kind) === undefined) throw new Failed(`No active extension runs jobs of the kind ${job.kind}.`);
  if (!(await jobs.work(wanted))) throw new Failed(`The job cannot start now: it is ${stateOf(job, jobs)}.`);
  return [`${job.kind}: ${stateOf(await jobOf(jobs, wanted), jobs)}`];
}

async function all(jobs: Jobs, { note }: Ask): Promise<string[]> {
  await jobs.settled();
  const left = await leftToSite(jobs);
  if (left.length > 0) note(`Left to the running site: ${left.join(', ')}.`);
  return (await jobs.figures()).ended.map(({ kind, status, jobs: some }) => `${kind}: ${some} ${status}`);
}

/** Whoever presses Ctrl-C gets what is not finished put back, for whoever does it next. */
function stopped(jobs: Jobs, { note, io: { signal } }: Ask) {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const stop = (): void => {
    note('Unfinished jobs go back into the queue.');
    void jobs.stop().then(() => resolve([]));
  };
  signal.addEventListener('abort', stop, { once: true });
  const forget = (): void => signal.removeEventListener('abort', stop);
  return { promise, forget };
}

const run: Command = {
  name: 'jobs run',
  about:
    'Runs all jobs that are due, or only the job with this id. Emails are left to the running site. Ctrl-C puts unfinished jobs back into the queue.',
  words: [{ ...id, optional: true }],
  run: (ask) =>
    ask.inSite(async ({ jobs }) => {
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
      if (lines.length === 0) ask.note('No job was due.');
    }),
};

export const command: Family = {
  name: 'jobs',
  about: 'Shows, cancels and runs background jobs. These commands work whether or not the site is running.',
  members: [
    { name: 'list', summary: 'List the newest jobs', command: list },
    { name: 'show', summary: 'Show the progress and the errors of a job', command: show },
    { name: 'cancel', summary: 'Cancel a job', command: cancel },
    { name: 'run', summary: 'Run the jobs that are due', command: run },
  ],
};
