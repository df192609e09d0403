// `npm run pictures` takes the pictures in docs/pages/ and writes docs/pages.md: each page on a telephone and on a desk. It also takes
// those of docs/media.md. `npm run pictures -- front post` takes only these pages again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { aBrowser } from '#test/browser.ts';
import type { TestEngine } from '#test/databases.ts';
import { publicScenes } from '#test/public-scenes.ts';
import { type Scene, scenes } from '#test/scenes.ts';
import { aSite } from '#test/site.ts';
import { provided } from '../test/run/packages.ts';
import { takeMediaPictures } from './media-pictures.ts';

const folder = join(import.meta.dirname, 'pages');
const sizes = { phone: { width: 360, height: 640 }, desk: { width: 1280, height: 800 } } as const;
const pictured = [...publicScenes, ...scenes].filter(({ about }) => about !== undefined);

/** A place for sites outside any test, cleared up at the end. */
function aPlace(): { engine: TestEngine; clear(): Promise<void> } {
  const steps: (() => Promise<unknown>)[] = [];
  const place = async () => {
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
    steps.push(async () => rmSync(data, { recursive: true, force: true }));
    return { data };
  };
  const store: TestEngine['store'] = () => Promise.reject(new Error('A picture needs a whole site.'));
  const engine: TestEngine = {
    name: 'sqlite',
    place,
    store,
    atEnd: (step) => void steps.push(step),
    shared(open) {
      const opened = open();
      return () => opened;
    },
  };
  const clear = async () => {
    for (const step of steps.reverse()) await step();
  };
  return { engine, clear };
}

async function picture(browser: Browser, { name, play }: Scene, size: keyof typeof sizes): Promise<void> {
  const { engine, clear } = aPlace();
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: 'light' });
  try {
    const page = await context.newPage();
    await play({ site: await aSite(engine), page });
    const shot = await page.screenshot({ fullPage: true, caret: 'hide' });
    await sharp(shot)
      .png({ palette: true, effort: 10 })
      .toFile(join(folder, `${name}-${size}.png`));
  } finally {
    await context.close();
    await clear();
  }
}

const section = ({ name, about }: Scene): string =>
  `## ${name}\n\n${about} [On a telephone](pages/${name}-phone.png), [on a desk](pages/${name}-desk.png).\n`;

const document = (): string =>
  `# The pages people see

<!-- Written by "npm run pictures" from test/support/scenes.ts and public-scenes.ts; what is changed here by hand is lost. -->

Server-rendered, without a script: they work in any browser, with a reader and with a keyboard alone. A test in
\`test/browser\` reads each of them, and states of them that are not pictured, against WCAG 2.2 AA.

${pictured.map(section).join('\n')}`;

async function run(names: readonly string[]): Promise<number> {
  if ((await provided((text) => console.log(text), 'chromium')) === undefined) {
    console.error('The pictures need Chromium: install it, or set GATEHOUSE_TEST_CHROMIUM to its path.');
    return 1;
  }
  mkdirSync(folder, { recursive: true });
  const browser = await aBrowser();
  try {
    for (const scene of pictured.filter(({ name }) => names.length === 0 || names.includes(name)))
      for (const size of ['phone', 'desk'] as const) await picture(browser, scene, size);
    const { engine, clear } = aPlace();
    if (names.length === 0) await takeMediaPictures(browser, engine, folder).finally(clear);
  } finally {
    await browser.close();
  }
  writeFileSync(join(import.meta.dirname, 'pages.md'), document());
  return 0;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
