// A site that optimizes its photographs, one after the other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ssim } from '#lib/ssim.ts';
import { comparedSize, grayPixels } from '#site/content/media/encode.ts';
import { drawPhotograph } from '#test/photographs.ts';
import { siteAuthor } from '../../src/extensions/image-optimiser/images.ts';
import { createOptimiser } from '../../src/extensions/image-optimiser/optimiser.ts';
import { createPresets } from '../../src/extensions/image-optimiser/presets.ts';
import { createRecords } from '../../src/extensions/image-optimiser/records.ts';
import { booted } from '../booted.ts';
import { given, offer } from '../child.ts';
import { compared, type ImagesOptions, photographSize, photographs, type Smaller } from '../images.ts';

const { data } = given<ImagesOptions>();
const { app, credentials } = await booted({ data });
const { services } = app;
const { media } = services.content;
const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
const presets = createPresets(services);
const records = createRecords(services, media);
const optimiser = createOptimiser({ ...services, records });
const ids: number[] = [];

async function ask(path: string, body: Buffer | string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`${origin}/api/${path}`, {
    method: 'POST',
    headers: { ...credentials, ...headers },
    body: body as never,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

const upload = async (body: Buffer): Promise<number> => {
  const headers = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=a.jpg' };
  return (await ask('core/v2/media', body, headers)).id;
};

/** Uploads are not optimized by themselves: the work is measured. */
async function turnOffUploads(): Promise<void> {
  await presets.replace([{ name: 'Measured', config: { configs: { settings: { auto: false } } } }]);
  await presets.apply(1);
}

async function optimise(some: readonly number[]): Promise<void> {
  const options = await presets.options();
  for (const id of some) await optimiser.optimise(id, { options, force: false }, siteAuthor);
}

async function smaller(id: number): Promise<Smaller> {
  const { file, original, backup } = (await media.files([id])).get(id)!;
  const pathOf = (name: string): string => join(data, 'media', file.replace(/[^/]*$/, name));
  const [before, now] = [pathOf(backup!), pathOf(original!)];
  const size = comparedSize(photographSize);
  const [a, b] = [await grayPixels(before, size), await grayPixels(now, size)];
  const [from, to] = [readFileSync(before).length, readFileSync(now).length];
  return { saved: (1 - to / from) * 100, ssim: await ssim(a, b) };
}

offer(
  {
    async prepare() {
      await turnOffUploads();
      for (let at = 0; at < photographs; at++)
        ids.push(await upload(await drawPhotograph(at, photographSize.width, photographSize.height)));
    },
    async smaller() {
      await optimise(ids);
      const all: Smaller[] = [];
      for (const id of ids) all.push(await smaller(id));
      return all;
    },
    async restore() {
      for (const id of ids.slice(0, compared)) await optimiser.restore(id, siteAuthor);
    },
    async work() {
      const begun = performance.now();
      await optimise(ids.slice(0, compared));
      return { done: compared, milliseconds: performance.now() - begun };
    },
  },
  () => app.close(),
);
