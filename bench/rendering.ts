// Texts as pages show them, each rendered without the cache, on both stores. In a process of its own; nothing to compare with.
import sharp from 'sharp';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import type { TextAsked } from './children/rendering.ts';
import { furnish, postSent, writerOf } from './content-site.ts';
import { onEach } from './databases.ts';
import { type Pictured, texts } from './rendered-texts.ts';
import { type Figure, number, type Section } from './report.ts';

const posts = 200;
const pictures = 12;

export const measureRendering = async (): Promise<Section> => ({
  title: 'Texts as pages show them',
  about: `What it costs to make HTML of a text that was never made before, on a site with ${posts} posts and ${pictures} pictures, all it mentions looked up
again: processor time of the whole process, the median of many texts that differ.`,
  figures: await onEach(measureTexts),
});

async function measureTexts(engine: string, asked: SiteAsked): Promise<Figure[]> {
  const site = start('rendering.ts', asked);
  try {
    const shown = await fill(site);
    const figures: Figure[] = [];
    for (const [what, { most, times }] of Object.entries(texts)) {
      const ask = (many: number) => site.call<number>('took', { what, shown, times: many } satisfies TextAsked);
      await ask(times); // warm before it counts
      const took = await ask(times);
      const ours = `${number(took, took < 10 ? 2 : 0)} ms`;
      figures.push({ what: `${engine}, ${what}`, ours, wanted: `≤ ${most} ms`, holds: took <= most });
    }
    return figures;
  } finally {
    await site.stop();
  }
}

async function fill(site: Child): Promise<Pictured> {
  const place = await furnish(site);
  const { add, upload } = await writerOf(site);
  for (let at = 0; at < posts; at++) await add('posts', postSent(at, place));
  const ids: number[] = [];
  for (let at = 0; at < pictures; at++) ids.push(await upload(await plain(at)));
  const origin = `http://127.0.0.1:${await site.call<number>('port')}`;
  const answer = await fetch(`${origin}/api/core/v2/media?per_page=100&include=${ids.join(',')}&_fields=id,source_url`);
  const media = (await answer.json()) as { id: number; source_url: string }[];
  return { pictures: media.map(({ id, source_url }) => ({ id, url: source_url })) };
}

const plain = (at: number): Promise<Buffer> =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: { r: at, g: 80, b: 120 } } })
    .png()
    .toBuffer();
