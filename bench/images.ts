// The image optimizer: what it saves and how alike the results look, how long it takes against a bare script, and what readers of the
// site notice of a bulk run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { drawPhotograph } from '#test/photographs.ts';
import { start } from './child.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf, spread } from './measure.ts';
import { type Figure, megabytes, microseconds, number, ratioOf, type Section } from './report.ts';
import { canReadUsage, makeSite, type ServedSite, serveSite } from './served-site.ts';

export interface ImagesOptions {
  readonly data: string;
}

/** What the optimizer made of one original. */
export interface Smaller {
  /** In percent. */
  readonly saved: number;
  /** Structural similarity to what was uploaded. */
  readonly ssim: number;
}

export const photographs = 10;
/** Of these, in each round of the comparison. */
export const compared = 3;
export const photographSize = { width: 4_000, height: 3_000 } as const;

const least = { saved: 45, ssim: 0.97, floor: 0.95 };
const most = { ratio: 1.2, memory: 400 * 2 ** 20, late: 20 };
const bulk = { large: 12, small: 60 } as const;

export const measureImages = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Image optimization',
    about: `${photographs} JPEGs of 12 megapixels at quality 95, drawn with details of every size, are optimized at level 1: the original, the copy of
2560 pixels and six smaller ones, and a WebP file beside each copy. Similarity is SSIM, as the optimizer judges it. The reference is a script of
\`sharp\` alone that makes the same files with the same settings and compares each with its source. Then \`gatehouse serve\` works through
${bulk.large} JPEGs of 25 megapixels and ${bulk.small} of 2 in the background, while a reader asks for a page that is cached, every 5 ms.`,
    figures: [...(await ofPhotographs(folder)), ...(await ofBulk(folder))],
  }));

async function ofPhotographs(folder: string): Promise<Figure[]> {
  const [site, bare] = [
    start('images.ts', { data: join(folder, 'site') } satisfies ImagesOptions),
    start('bare-images.ts', { data: join(folder, 'bare') } satisfies ImagesOptions),
  ];
  try {
    await site.call('prepare');
    await bare.call('prepare');
    const made = await site.call<readonly Smaller[]>('smaller');
    const saved = spread(made.map((one) => one.saved));
    const alike = spread(made.map(({ ssim }) => ssim));
    const { ours, reference, ratio, cpuRatio } = await compare(
      async () => {
        await site.call('restore');
        return roundOf(site, () => site.call<Done>('work'));
      },
      () => roundOf(bare, () => bare.call<Done>('work')),
    );
    const inverse = { median: 1 / ratio.median, least: 1 / ratio.most, most: 1 / ratio.least };
    return [
      {
        what: 'Saved of an original, median of the pictures',
        ours: `${number(saved.median, 1)} % (${number(saved.least, 1)}–${number(saved.most, 1)})`,
        wanted: `≥ ${least.saved} %`,
        holds: saved.median >= least.saved,
      },
      {
        what: 'Similarity, median of the pictures',
        ours: `${number(alike.median, 3)} (${number(alike.least, 3)}–${number(alike.most, 3)})`,
        wanted: `≥ ${least.ssim}, none below ${least.floor}`,
        holds: alike.median >= least.ssim && alike.least >= least.floor,
      },
      {
        what: 'A picture',
        ours: `${number(1_000 / ours.rate)} ms`,
        reference: `${number(1_000 / reference.rate)} ms`,
        ratio: ratioOf(inverse),
        cpu: `${microseconds(ours.cpu)} / ${microseconds(reference.cpu)} = ${number(cpuRatio.median, 2)}`,
        wanted: `≤ ${most.ratio}`,
        holds: inverse.median <= most.ratio,
      },
    ];
  } finally {
    await Promise.all([site.stop(), bare.stop()]);
  }
}

async function ofBulk(folder: string): Promise<Figure[]> {
  if (!canReadUsage()) return [];
  const program = { folder: join(import.meta.dirname, '..'), settings: { GATEHOUSE_OPTIMISE_UPLOADS: 'off' } };
  const place = { data: join(folder, 'bulk') };
  const site = await serveSite(program, place, await makeSite(program, place));
  const visitors = start('visitors.ts', null);
  try {
    await upload(site, await drawn(folder));
    const page = { port: site.port, path: '/' };
    await visitors.call('begin', page);
    await after(2_000);
    const idle = ninetyNinth(await visitors.call<number[]>('end'));
    await visitors.call('begin', page);
    site.peak();
    const begun = performance.now();
    await optimizeAll(site);
    const seconds = (performance.now() - begun) / 1_000;
    const peak = site.peak();
    const busy = ninetyNinth(await visitors.call<number[]>('end'));
    return [
      {
        what: 'Peak of resident memory in a bulk run',
        ours: megabytes(peak),
        wanted: `≤ ${megabytes(most.memory)}`,
        holds: peak <= most.memory,
      },
      {
        what: `A cached read during the bulk run of ${number(seconds)} s, 99th percentile; reference: before it`,
        ours: `${number(busy, 1)} ms`,
        reference: `${number(idle, 1)} ms`,
        wanted: `≤ ${most.late} ms`,
        holds: busy <= most.late,
      },
    ];
  } finally {
    await Promise.all([site.stop(), visitors.stop()]);
  }
}

interface Job {
  readonly id: string;
  readonly finished_at: string | null;
  readonly failed: number;
}

async function ask(site: ServedSite, path: string, body: Buffer | string, type: string): Promise<Job> {
  const headers = { ...site.credentials, 'Content-Type': type, 'Content-Disposition': 'attachment; filename=a.jpg' };
  const answer = await fetch(`http://127.0.0.1:${site.port}/api/${path}`, {
    method: 'POST',
    headers,
    body: body as never,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

async function upload(site: ServedSite, files: Files): Promise<void> {
  for (const { path, times } of files)
    for (let at = 0; at < times; at++) await ask(site, 'core/v2/media', readFileSync(path), 'image/jpeg');
}

/** As a client starts it. */
async function optimizeAll(site: ServedSite): Promise<void> {
  const send = (body: object) => ask(site, 'imgopt/v1/preset_configs', JSON.stringify(body), 'application/json');
  let job = await send({ action: 'bulk', background: true });
  for (; job.finished_at === null; await after(500)) job = await send({ job: job.id });
  if (job.failed > 0) throw new Error(JSON.stringify(job));
}

/** With how often each is uploaded. */
type Files = readonly { readonly path: string; readonly times: number }[];

async function drawn(folder: string): Promise<Files> {
  const [large, small] = [join(folder, 'large.jpg'), join(folder, 'small.jpg')];
  writeFileSync(large, await drawPhotograph(1, 5_800, 4_310));
  writeFileSync(small, await drawPhotograph(2, 1_732, 1_155));
  return [
    { path: small, times: bulk.small / 2 },
    { path: large, times: bulk.large },
    { path: small, times: bulk.small / 2 },
  ];
}

const ninetyNinth = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
