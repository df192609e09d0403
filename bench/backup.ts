// A backup of much, against the tools everybody has; what it needs of memory; and whoever asks the site for something meanwhile.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalFiles } from '#site/files/local/local.ts';
import { openStore } from '#store/store.ts';
import { fill } from '#test/crowd.ts';
import { tableOwners } from '../src/boot/tables.ts';
import { type Child, start } from './child.ts';
import type { BackupAsked } from './children/backup.ts';
import { inFolder } from './folder.ts';
import { type Client, type Done, requestText, startClient } from './load.ts';
import { spread } from './measure.ts';
import { type Figure, megabytes, number, ratioOf, type Section } from './report.ts';
import { afresh } from './writing.ts';

const MiB = 2 ** 20;
/** Each user is a row of theirs and one of their role. */
const large = { users: 50_000, files: 1_024, size: MiB };
const small = { users: 5_000, files: 102, size: MiB };
const crumbs = { users: 50, files: 10_000, size: 3_000 };
const rounds = 3;
/** What must hold: of the rate of the others, also with many small files, of the memory for a tenth, of how long a request takes. */
const wanted = { rate: 0.5, crumbs: 0.05, memory: 1.25, slower: 1.5 };

export const measureBackup = (): Promise<Section> =>
  inFolder(async (folder) => {
    const sites = { large: join(folder, 'large'), small: join(folder, 'small') };
    const many = join(folder, 'many');
    await make(sites.large, large);
    await make(sites.small, small);
    await make(many, crumbs);
    return {
      title: 'Backup',
      about: `\`gatehouse backup\` of ${number(2 * large.users)} rows and ${megabytes(large.files * MiB)} of files in ${number(large.files)}, verified piece by
piece and waited for until the disk has it. The reference is \`tar\` of the files and SQLite's own backup of the database, likewise waited for. Each is
made three times in a row, and the quickest counts.
Its memory is the most the process ever held, beside that for a tenth of it. Requests are reads without the cache on one connection
to the site that is backed up. ${number(crumbs.files)} files of ${number(crumbs.size)} bytes each cost several questions of the disk a file, whatever
is in it, and \`tar\` asks fewer: here it is far ahead.`,
      figures: [
        ...(await speedAndMemory(sites, folder)),
        await ofCrumbs(many, folder),
        await disturbance(sites.large, folder),
      ],
    };
  });

async function make(data: string, { users, files, size }: typeof large): Promise<void> {
  const log = { info() {}, warn() {}, error() {} };
  mkdirSync(data, { mode: 0o700 });
  const store = await openStore({ data, tables: tableOwners(), log });
  await fill(store, users);
  await store.close();
  const media = await openLocalFiles(join(data, 'media'), new Date());
  const noise = randomBytes(2 * MiB);
  for (let n = 0; n < files; n++) {
    const from = (n * 7919) % MiB; // no two alike, and nothing that compresses
    await media.put(`2026/${n % 12}/${n}.jpg`, noise.subarray(from, from + size));
  }
}

interface Made {
  readonly milliseconds: number;
  readonly peak: number;
}

/**
 * The quickest of three in a row: a rented machine is lent memory for the cache of its disk only when it needs it, and whoever
 * comes first waits for that.
 */
async function measured(how: 'ours' | 'theirs', asked: BackupAsked): Promise<Made> {
  const made: Made[] = [];
  for (let turn = 0; turn < 3; turn++) made.push(await once(how, asked));
  return made.reduce((best, one) => (one.milliseconds < best.milliseconds ? one : best));
}

async function once(how: 'ours' | 'theirs', asked: BackupAsked): Promise<Made> {
  const child = start('backup.ts', null);
  try {
    const { milliseconds } = await child.call<Done>(how, asked);
    return { milliseconds, peak: await child.call<number>('peak') };
  } finally {
    await child.stop();
  }
}

async function speedAndMemory(sites: { large: string; small: string }, to: string): Promise<Figure[]> {
  const pairs: { ours: number; theirs: number; peak: number; less: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const theirs = await measured('theirs', { data: sites.large, to });
    const ours = await measured('ours', { data: sites.large, to });
    const less = await once('ours', { data: sites.small, to });
    pairs.push({ ours: ours.milliseconds, theirs: theirs.milliseconds, peak: ours.peak, less: less.peak });
  }
  const ratio = spread(pairs.map(({ ours, theirs }) => theirs / ours));
  const memory = spread(pairs.map(({ peak, less }) => peak / less));
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => spread(pairs.map(of)).median;
  return [
    {
      what: 'seconds',
      ours: `${number(middle(({ ours }) => ours) / 1000, 1)} s`,
      reference: `${number(middle(({ theirs }) => theirs) / 1000, 1)} s`,
      ratio: ratioOf(ratio),
      wanted: `≥ ${wanted.rate}`,
      holds: ratio.median >= wanted.rate,
    },
    {
      what: 'memory; reference: for a tenth',
      ours: megabytes(middle(({ peak }) => peak)),
      reference: megabytes(middle(({ less }) => less)),
      ratio: ratioOf(memory),
      wanted: `≤ ${wanted.memory}`,
      holds: memory.median <= wanted.memory,
    },
  ];
}

async function ofCrumbs(data: string, to: string): Promise<Figure> {
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const theirs = (await measured('theirs', { data, to })).milliseconds;
    pairs.push({ theirs, ours: (await measured('ours', { data, to })).milliseconds });
  }
  const ratio = spread(pairs.map(({ ours, theirs }) => theirs / ours));
  return {
    what: `seconds, ${number(crumbs.files)} small files`,
    ours: `${number(spread(pairs.map(({ ours }) => ours)).median / 1000, 1)} s`,
    reference: `${number(spread(pairs.map(({ theirs }) => theirs)).median / 1000, 1)} s`,
    ratio: ratioOf(ratio),
    wanted: `≥ ${wanted.crumbs}`,
    holds: ratio.median >= wanted.crumbs,
  };
}

async function disturbance(data: string, to: string): Promise<Figure> {
  const site = start('site.ts', { data });
  const client = startClient();
  try {
    const port = await site.call<number>('port');
    const quiet = [];
    const busy = [];
    await answersIn(client, port);
    for (let round = 0; round < rounds; round++) {
      quiet.push(...(await whileQuiet(client, port)));
      busy.push(...(await whileBackedUp(client, port, { data, to })));
    }
    const [undisturbed, disturbed] = [spread(quiet).median, spread(busy).median];
    const slower = disturbed / undisturbed;
    return {
      what: 'a request meanwhile; reference: in quiet',
      ours: `${number(disturbed, 2)} ms`,
      reference: `${number(undisturbed, 2)} ms`,
      ratio: number(slower, 2),
      wanted: `≤ ${wanted.slower}`,
      holds: slower <= wanted.slower,
    };
  } finally {
    await Promise.all([site, client].map((one) => one.stop()));
  }
}

/** How long a request takes, in ms, over a little while. */
async function answersIn(client: Client, port: number): Promise<number> {
  const requests = [requestText('/api/hello/v1/greetings', { headers: afresh })];
  const { done, milliseconds } = await client.ask({ port, connections: 1, requests, milliseconds: 100 });
  return milliseconds / done;
}

async function whileQuiet(client: Client, port: number): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < 15; n++) all.push(await answersIn(client, port));
  return all;
}

async function whileBackedUp(client: Client, port: number, asked: BackupAsked): Promise<number[]> {
  const child: Child = start('backup.ts', null);
  const all: number[] = [];
  let going = true;
  const backup = child.call<Done>('ours', asked).finally(() => {
    going = false;
  });
  try {
    while (going) all.push(await answersIn(client, port));
    await backup;
    return all;
  } finally {
    await child.stop();
  }
}
