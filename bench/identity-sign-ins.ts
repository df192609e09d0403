// Readers while very many sign in at once: hashing passwords must not keep them waiting.
import { setTimeout as after } from 'node:timers/promises';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import type { Sending, Sent, Visit } from './children/visitors.ts';
import { onEach } from './databases.ts';
import { spread } from './measure.ts';
import { type Figure, number, type Section } from './report.ts';
import { afresh } from './writing.ts';

const together = 200;
/** How much longer an answer may take, in milliseconds. */
const most = 20;
const quiet = 2_000;
const path = '/api/hello/v1/greetings';

const visitors: Readonly<Record<string, Pick<Visit, 'path' | 'headers'>>> = {
  'cached answers': { path },
  'answers not cached': { path, headers: afresh },
};
const account = { login: 'somebody', password: 'a password of some length' } as const;
const attempts = {
  'sign-ins': { log: account.login, pwd: account.password, status: 302 },
  'wrong passwords': { log: account.login, pwd: 'not the password', status: 200 },
} as const;

export const measureSignIns = async (): Promise<Section> => ({
  title: 'Many sign-ins at once',
  about: `${together} users send the form of the sign-in page at once, over HTTP, while a visitor reads: how long the visitor's answers took in the
median until the last user had an answer, and in a quiet moment before. In brackets, the 99th percentile.`,
  figures: await onEach(figuresOf),
});

interface Running {
  readonly site: Child;
  readonly reader: Child;
  readonly crowd: Child;
}

async function figuresOf(engine: string, asked: SiteAsked): Promise<Figure[]> {
  const running: Running = {
    site: start('site.ts', asked),
    reader: start('visitors.ts', null),
    crowd: start('visitors.ts', null),
  };
  try {
    await running.site.call('user', account);
    const figures: Figure[] = [];
    for (const [reading, visit] of Object.entries(visitors))
      for (const [sending, attempt] of Object.entries(attempts))
        figures.push(await figureOf(`${engine}, ${reading}, ${together} ${sending}`, visit, attempt, running));
    return figures;
  } finally {
    await Promise.all(Object.values(running).map((one) => one.stop()));
  }
}

type Attempt = (typeof attempts)[keyof typeof attempts];

async function figureOf(what: string, read: Omit<Visit, 'port'>, attempt: Attempt, running: Running): Promise<Figure> {
  const { site, reader } = running;
  const port = await site.call<number>('port');
  const visit: Visit = { port, ...read };
  await during(reader, visit, () => after(quiet / 4)); // warm
  const before = await during(reader, visit, () => after(quiet));
  let cpu = 0;
  const meanwhile = await during(reader, visit, async () => {
    cpu = await sent(running, port, attempt);
  });
  const delay = middle(meanwhile) - middle(before);
  return {
    what,
    ours: told(meanwhile),
    reference: told(before),
    ratio: number(middle(meanwhile) / middle(before), 2),
    cpu: `${number(cpu / 1000, 1)} ms a sign-in`,
    wanted: `≤ ${most} ms more`,
    holds: delay <= most,
  };
}

async function during(reader: Child, visit: Visit, work: () => Promise<unknown>): Promise<number[]> {
  await reader.call('begin', visit);
  await work();
  return reader.call<number[]>('end');
}

/** All of them at once; the processor time that each cost, in microseconds. */
async function sent({ site, crowd }: Running, port: number, { log, pwd, status }: Attempt): Promise<number> {
  const form = new URLSearchParams({ log, pwd }).toString();
  const sending: Sending = { port, path: '/login', forms: Array.from({ length: together }, () => form) };
  const before = await site.usage();
  const { statuses } = await crowd.call<Sent>('send', sending);
  const after = await site.usage();
  if (statuses[status] !== together) throw new Error(`Sign-ins were answered with ${JSON.stringify(statuses)}.`);
  return (after.cpu - before.cpu) / together;
}

const middle = (times: readonly number[]): number => spread(times).median;

function told(times: readonly number[]): string {
  const late = times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1]!;
  return `${number(middle(times), 1)} ms (${number(late, 1)} ms)`;
}
