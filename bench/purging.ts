// What readers notice of the daily purge of the security log: the same reads with it and without.
import { setTimeout as after } from 'node:timers/promises';
import { type Child, start } from './child.ts';
import { inFolder } from './folder.ts';
import { spread } from './measure.ts';
import { type Figure, microseconds, number, type Section } from './report.ts';

const [logged, posts] = [200_000, 200];
const reads = 150;
const rounds = 5;
/** Between two reads, in milliseconds. */
const gap = 5;
const most = 2;

interface Read {
  /** In milliseconds, at the 95th of a hundred. */
  readonly late: number;
  /** Microseconds of processor for each read, the purge's share included. */
  readonly cpu: number;
}

export const measurePurging = (): Promise<Section> =>
  inFolder(async (data) => {
    const child = start('purging.ts', { data });
    try {
      return {
        title: 'Reads during the purge of the log',
        about: `A page of ten posts, asked for every few milliseconds on an SQLite site while ${number(logged)} entries of its security log
are deleted in the same process; the reference is the same without the purge. The 95th percentile of what a read takes.`,
        figures: [await figureOf(child)],
      };
    } finally {
      await child.stop();
    }
  });

async function figureOf(child: Child): Promise<Figure> {
  await child.call('fill', { logged, posts });
  const origin = await child.call<string>('origin');
  let asked = 0;
  const round = async (): Promise<Read> => {
    const before = await child.usage();
    const took: number[] = [];
    for (let n = 0; n < reads; n++) took.push(await timed(`${origin}/api/core/v2/posts?fresh=${asked++}`));
    const { cpu } = await child.usage();
    return { late: took.sort((one, other) => one - other)[Math.floor(reads * 0.95)]!, cpu: (cpu - before.cpu) / reads };
  };
  await round(); // warm
  const idle: Read[] = [];
  const busy: Read[] = [];
  for (let n = 0; n < rounds; n++) idle.push(await round());
  const begun = performance.now();
  await child.call('begin');
  for (let n = 0; n < rounds; n++) busy.push(await round());
  if (!(await child.call<boolean>('left'))) throw new Error('The purge was over before the reads were.');
  while (await child.call<boolean>('left')) await after(200);
  const seconds = (performance.now() - begun) / 1_000;
  const [ours, reference] = [busy, idle].map((all) => ({
    late: spread(all.map(({ late }) => late)).median,
    cpu: spread(all.map(({ cpu }) => cpu)).median,
  })) as [Read, Read];
  const ratio = ours.late / reference.late;
  return {
    what: `a read, while the purge takes ${number(seconds)} s`,
    ours: `${number(ours.late, 1)} ms`,
    reference: `${number(reference.late, 1)} ms`,
    ratio: number(ratio, 2),
    cpu: `${microseconds(ours.cpu)} / ${microseconds(reference.cpu)} = ${number(ours.cpu / reference.cpu, 2)}`,
    wanted: `≤ ${most}`,
    holds: ratio <= most,
  };
}

async function timed(url: string): Promise<number> {
  await after(gap);
  const begun = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}.`);
  return performance.now() - begun;
}
