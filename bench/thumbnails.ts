// Copies of pictures that are made again, against a bare script that makes the same files.
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Child, start } from './child.ts';
import type { Visit } from './children/visitors.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { microseconds, number, ratioOf, type Section } from './report.ts';

export interface ThumbnailsOptions {
  readonly data: string;
}

export const pictures = 20;

/** How much longer ours may take. */
const maxRatio = 1.15;
const maxMemory = 400 * 2 ** 20;
/** How long a kept answer may take meanwhile, in milliseconds: the 99th of a hundred. */
const maxDelay = 20;
const quiet = 3_000;

export const measureThumbnails = (): Promise<Section> =>
  inFolder(async (folder) => {
    const [site, bare, reader] = [
      start('thumbnails.ts', { data: join(folder, 'site') } satisfies ThumbnailsOptions),
      start('bare-thumbnails.ts', { data: join(folder, 'bare') } satisfies ThumbnailsOptions),
      start('visitors.ts', null),
    ];
    try {
      await site.call('prepare');
      await bare.call('prepare');
      const { ours, reference, ratio, cpuRatio } = await compare(
        () => roundOf(site, () => site.call<Done>('work')),
        () => roundOf(bare, () => bare.call<Done>('work')),
      );
      const memory = (await site.usage()).rss;
      const visit = { port: await site.call<number>('port'), path: '/api/hello/v1/greetings' };
      const before = await delays(reader, visit, () => after(quiet));
      const meanwhile = await delays(reader, visit, () => site.call<Done>('work'));
      const inverse = { median: 1 / ratio.median, least: 1 / ratio.most, most: 1 / ratio.least };
      const megabytes = (bytes: number): string => `${number(bytes / 2 ** 20)} MB`;
      return {
        title: 'Thumbnails',
        about: `The six smaller copies of each of ${pictures} JPEGs of 12 megapixels are made again, one picture after the other. The
reference is a script of \`sharp\` alone with the same pipeline: it reads each picture once, at 2560 pixels, and makes the six files from
that at once. Ours copies the original aside first, judges it, makes its placeholder, asks that every file is safe on the disk, and
saves the record.`,
        figures: [
          {
            what: 'A picture',
            ours: `${number(1_000 / ours.rate)} ms`,
            reference: `${number(1_000 / reference.rate)} ms`,
            ratio: ratioOf(inverse),
            wanted: `≤ ${maxRatio}`,
            holds: inverse.median <= maxRatio,
          },
          {
            what: 'Processor time of a picture',
            ours: microseconds(ours.cpu),
            reference: microseconds(reference.cpu),
            ratio: ratioOf(cpuRatio),
            wanted: `≤ ${maxRatio}`,
            holds: cpuRatio.median <= maxRatio,
          },
          {
            what: 'Resident memory of the site afterwards',
            ours: megabytes(memory),
            reference: megabytes((await bare.usage()).rss),
            ratio: '',
            wanted: '≤ 400 MB',
            holds: memory <= maxMemory,
          },
          {
            what: 'A kept answer meanwhile, the 99th of a hundred',
            ours: `${number(meanwhile, 1)} ms`,
            reference: `${number(before, 1)} ms`,
            wanted: `≤ ${maxDelay} ms`,
            holds: meanwhile <= maxDelay,
          },
        ],
      };
    } finally {
      await Promise.all([site.stop(), bare.stop(), reader.stop()]);
    }
  });

async function delays(reader: Child, visit: Visit, work: () => Promise<unknown>): Promise<number> {
  await reader.call('begin', visit);
  await work();
  const times = (await reader.call<number[]>('end')).toSorted((one, other) => one - other);
  return times[Math.ceil(times.length * 0.99) - 1]!;
}
