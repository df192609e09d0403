// A picture and all its copies, against a bare script that makes the same files.
import { join } from 'node:path';
import { start } from './child.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { number, ratioOf, type Section } from './report.ts';

export interface PicturesAsked {
  readonly data: string;
}

/** How much longer ours may take. */
const most = 1.2;

export const measureMedia = (): Promise<Section> =>
  inFolder(async (folder) => {
    const [site, bare] = [
      start('media.ts', { data: join(folder, 'site') } satisfies PicturesAsked),
      start('bare-media.ts', { data: join(folder, 'bare') } satisfies PicturesAsked),
    ];
    try {
      const { ours, reference, ratio } = await compare(
        () => roundOf(site, () => site.call<Done>('work')),
        () => roundOf(bare, () => bare.call<Done>('work')),
      );
      const inverse = { median: 1 / ratio.median, least: 1 / ratio.most, most: 1 / ratio.least };
      const took = (rate: number) => `${number(1_000 / rate)} ms`;
      return {
        title: 'Media',
        about: `A JPEG of 12 megapixels is uploaded: a copy of 2560 pixels that stands for it and six smaller ones are made. The
reference is a script of \`sharp\` alone that makes the same seven files from the same picture at once and writes it beside them. Ours
lays the upload aside first, judges it, asks that every file is safe on the disk, and makes the record.`,
        figures: [
          {
            what: 'A picture with its copies',
            ours: took(ours.rate),
            reference: took(reference.rate),
            ratio: ratioOf(inverse),
            wanted: `≤ ${most}`,
            holds: inverse.median <= most,
          },
        ],
      };
    } finally {
      await Promise.all([site.stop(), bare.stop()]);
    }
  });
