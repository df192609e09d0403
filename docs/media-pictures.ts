// The pictures of docs/media.md: what the optimizer makes of a photo, and a gallery in its three layouts. The photos are drawn.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { TestEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { drawPhotograph } from '#test/photographs.ts';
import { aSite } from '#test/site.ts';
import { fetched, imageOptimizer, send } from '#test/uploads.ts';

const layouts = {
  justified: { columns: 0, justified_row_height: 170 },
  columns: { columns: 4, isotope: 0 },
  masonry: { columns: 4 },
} as const;
const shapes = [
  [900, 600],
  [600, 900],
  [800, 800],
  [1_200, 600],
] as const;
const widths = { desk: 1_000, phone: 360 } as const;
const galleryPhotos = 11;
/** Pixels of a side of the details that show what the optimizer changes. */
const detail = 240;

/** Hills under a sun. Each number draws others. */
function landscape(number: number, width: number, height: number): string {
  const [hue, random] = [(number * 47) % 360, (at: number) => (Math.sin(number * 12.9 + at * 78.2) + 1) / 2];
  const ridge = (layer: number): string => {
    const base = height * (0.45 + layer * 0.14);
    const at = (x: number): number =>
      base -
      Math.sin((x / width) * (4 + 5 * random(layer)) + layer) * height * 0.09 -
      random(x + layer) * height * 0.02;
    const points = Array.from({ length: 61 }, (_, step) => `${(step * width) / 60},${at((step * width) / 60)}`);
    const fill = `hsl(${hue + layer * 25},${45 - layer * 6}%,${62 - layer * 14}%)`;
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${fill}"/>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="display:block">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue + 190},60%,55%)"/><stop offset="1" stop-color="hsl(${hue + 30},80%,85%)"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#sky)"/>
<circle cx="${width * (0.2 + 0.6 * random(3))}" cy="${height * 0.3}" r="${height * 0.09}" fill="hsl(45,95%,75%)"/>
${[0, 1, 2, 3].map(ridge).join('')}</svg>`;
}

/** With details of every size, at quality 95, as a camera saves it. */
async function photo(browser: Browser, number: number, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<body style="margin:0">${landscape(number, width, height)}`);
  const hills = sharp(await page.screenshot()).removeAlpha();
  await page.close();
  const details = await drawPhotograph(number, width, height);
  return hills
    .composite([{ input: details, blend: 'soft-light' }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

export async function takeMediaPictures(browser: Browser, engine: TestEngine, folder: string): Promise<void> {
  const port = await freePort();
  const site = await aSite(engine, { env: { GATEHOUSE_URL: `http://127.0.0.1:${port}` }, config: { port } });
  const ids: number[] = [];
  for (let at = 0; at < galleryPhotos; at++) {
    const [width, height] = shapes[at % shapes.length]!;
    const bytes = await photo(browser, at + 1, width, height);
    ids.push((await send(site, 'administrator', `photo-${at}.jpg`, bytes, `?alt_text=Hills ${at + 1}`)).body.id);
  }
  for (const [layout, config] of Object.entries(layouts)) {
    const gallery_data = { config, items: ids.map((id) => ({ id })) };
    const said = { title: 'Hills', slug: layout, status: 'publish', gallery_data };
    const { body: gallery } = await site.as('editor').post('/api/core/v2/galleries', said);
    for (const [name, width] of Object.entries(widths)) {
      const page = await browser.newPage({ viewport: { width, height: 640 }, colorScheme: 'light' });
      await page.goto(gallery.link, { waitUntil: 'networkidle' });
      await page.screenshot({ path: join(folder, `gallery-${layout}-${name}.jpg`), type: 'jpeg', quality: 70 });
      await page.close();
    }
  }
  const panel = await optimizedPanel(browser, site);
  const page = await browser.newPage({ viewport: { width: detail * 3 + 80, height: 340 }, colorScheme: 'light' });
  await page.setContent(panel);
  await page.screenshot({ path: join(folder, 'optimized.png'), fullPage: true });
  await page.close();
}

/** The same detail of a photo as it was uploaded and at both lossy levels, with what each file takes. */
async function optimizedPanel(browser: Browser, site: Awaited<ReturnType<typeof aSite>>): Promise<string> {
  const { post } = imageOptimizer(site);
  const uploaded = await photo(browser, 5, 2_400, 1_600);
  const { body: media } = await send(site, 'administrator', 'before.jpg', uploaded);
  const figures = [await figure('Uploaded', uploaded, uploaded.length)];
  for (const [level, name] of [
    [1, 'Level 1'],
    [2, 'Level 2'],
  ] as const) {
    await post([{ name, config: { configs: { settings: { lossy: level } } } }]);
    await post({ action: 'apply', id: 1 });
    await post({ action: 'optimize', id: media.id });
    const { bytes } = await fetched(site, media.source_url, { accept: 'image/jpeg' });
    const webp = await fetched(site, media.source_url, { accept: 'image/webp' });
    figures.push(await figure(name, bytes, uploaded.length, webp.bytes.length));
  }
  return `<body style="margin:20px;font:14px/1.5 sans-serif;display:flex;gap:20px;color:#111;background:#fff">${figures.join('')}`;
}

async function figure(name: string, bytes: Buffer, before: number, webp?: number): Promise<string> {
  const part = { left: 900, top: 700, width: detail, height: detail };
  const shown = (await sharp(bytes).extract(part).png().toBuffer()).toString('base64');
  const size = (length: number): string => `${Math.round(length / 1_024)} KB`;
  const saved = bytes.length < before ? `, ${Math.round((1 - bytes.length / before) * 100)} % saved` : '';
  const newer = webp === undefined ? '' : `<br>As WebP: ${size(webp)}`;
  return `<figure style="margin:0"><img src="data:image/png;base64,${shown}" alt="" width="${detail}">
<figcaption><b>${name}</b><br>JPEG: ${size(bytes.length)}${saved}${newer}</figcaption></figure>`;
}
