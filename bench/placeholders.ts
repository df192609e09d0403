// Pictures as test data against a bare script that draws the same ones and makes the same files.
import { join } from 'node:path';
import { start } from './child.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { microseconds, number, ratioOf, type Section } from './report.ts';

export interface PlaceholdersAsked {
  readonly data: string;
}

/** How much longer ours may take. */
const most = 1.3;

export const measurePlaceholders = (): Promise<Section> =>
  inFolder(async (folder) => {
    const [site, bare] = [
      start('placeholders.ts', { data: join(folder, 'site') } satisfies PlaceholdersAsked),
      start('bare-placeholders.ts', { data: join(folder, 'bare') } satisfies PlaceholdersAsked),
    ];
    try {
      const { ours, reference, ratio, cpuRatio } = await compare(
        () => roundOf(site, () => site.call<Done>('work')),
        () => roundOf(bare, () => bare.call<Done>('work')),
      );
      const inverse = { median: 1 / ratio.median, least: 1 / ratio.most, most: 1 / ratio.least };
      const took = (rate: number) => `${number(100_000 / rate)} ms`;
      return {
        title: 'Placeholders',
        about: `A hundred placeholders of 1200 × 800 pixels are ordered as test data, as JPEGs, over HTTP, in parts of 15 as a client
asks for them. The reference is a script that draws the same pixels one picture after the other and writes each by \`sharp\` alone,
with the same four smaller copies at once: 500 files in all. Ours draws what is said of each, lays it aside, judges it as an upload,
asks that every file is safe on the disk, and makes a hundred records.`,
        figures: [
          {
            what: 'A hundred placeholders with their copies',
            ours: took(ours.rate),
            reference: took(reference.rate),
            ratio: ratioOf(inverse),
            cpu: `${microseconds(ours.cpu)} / ${microseconds(reference.cpu)} = ${number(cpuRatio.median, 2)}`,
            wanted: `≤ ${most}`,
            holds: inverse.median <= most,
          },
        ],
      };
    } finally {
      await Promise.all([site.stop(), bare.stop()]);
    }
  });
