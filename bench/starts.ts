// From the command to the first full answer, on an empty site and on one that keeps out ten thousand addresses.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { type BansPlace, fill } from './ban-rows.ts';
import { onEach } from './databases.ts';
import { inFolder } from './folder.ts';
import { rounds, spread } from './measure.ts';
import { type Figure, number, ratioOf, type Section } from './report.ts';

const root = join(import.meta.dirname, '..');
const patience = 30_000;
const ceiling = 1;
const someBans = 10_000;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly path: string;
}

const bareServer = `require('node:http').createServer((q, r) => r.end('{}')).listen(process.argv.at(-1), '127.0.0.1')`;

export const measureStarts = (): Promise<Section> =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'bare.cjs'), bareServer);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "scripts": { "start": "node bare.cjs" } }');
    const data = join(folder, 'data');
    const bare = { folder, path: '/' };
    const bareNode = (port: number) => ({ ...bare, command: 'node', args: ['bare.cjs', String(port)] });
    const npm = (port: number): readonly string[] => ['start', '--silent', '--', '--port', String(port)];
    return {
      title: 'Start',
      about: `From the command to the first 200, with everything installed and a database there: the second start. The reference is a
bare \`node:http\` server started the same way. A site answers once its bans are read.`,
      figures: [
        await figureOf(
          '`npm start`',
          (port) => ({ ...ours, command: 'npm', args: [...npm(port), '--data', data] }),
          (port) => ({ ...bare, command: 'npm', args: npm(port) }),
        ),
        await figureOf('`bin/gatehouse serve`', serving({ data }), bareNode),
        ...(await onEach(async (engine, place) => {
          const what = `the same with ${number(someBans)} bans, ${engine}`;
          return [await figureOf(what, serving(place), bareNode, () => fill(place, someBans))];
        })),
      ],
    };
  });

const ours = { folder: root, path: '/api/' };

const serving =
  ({ data, database }: BansPlace): ByPort =>
  (port) => ({
    ...ours,
    command: 'node',
    args: [
      ...['bin/gatehouse', 'serve', '--port', String(port), '--data', data],
      ...(database === undefined ? [] : ['--database', database]),
    ],
  });

type ByPort = (port: number) => Start;

async function figureOf(what: string, ours: ByPort, bare: ByPort, fill = async () => {}): Promise<Figure> {
  await secondsOf(ours); // the first start, which makes the database
  await fill();
  await secondsOf(bare);
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) pairs.push([await secondsOf(ours), await secondsOf(bare)]);
  const median = spread(pairs.map(([mine]) => mine)).median;
  return {
    what,
    ours: `${number(median, 2)} s`,
    reference: `${number(spread(pairs.map(([, reference]) => reference)).median, 2)} s`,
    ratio: ratioOf(spread(pairs.map(([mine, reference]) => mine / reference))),
    wanted: `≤ ${ceiling} s`,
    holds: median <= ceiling,
  };
}

async function secondsOf(startAt: ByPort): Promise<number> {
  const port = await freePort();
  const { command, args, folder, path } = startAt(port);
  const started = performance.now();
  const env = { ...process.env, GATEHOUSE_SECRET: 'a secret that only the measuring knows' };
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: 'ignore' });
  try {
    await firstAnswer(child, `http://127.0.0.1:${port}${path}`);
    return (performance.now() - started) / 1000;
  } finally {
    await end(child);
  }
}

async function firstAnswer(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + patience;
  while (performance.now() < until && child.exitCode === null) {
    const answered = await fetch(url, { headers: { connection: 'close' } }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (answered) return;
    await after(5);
  }
  throw new Error(`Nothing answered at ${url}.`);
}

/** npm and what it started are one group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const over = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await over;
}
