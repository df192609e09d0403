// Every page and every state of it, as everybody has to be able to read it: with a reader, on a telephone, in the dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { scenes } from '#test/scenes.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

const telephone: BrowserContextOptions = { viewport: { width: 360, height: 640 } };

describeAsync('Pages in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const shown = async (
    play: (typeof scenes)[number]['play'],
    options: BrowserContextOptions,
  ): Promise<[Page, string[]]> => {
    const site = await aSite(engine);
    const context = await browser.newContext({ ...options, javaScriptEnabled: true });
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await play({ site, page });
    return [page, complaints.filter((text) => !text.startsWith('Failed to load resource'))];
  };

  test('the two answers to the question to sign out are as high as each other', async () => {
    const { play } = scenes.find(({ name }) => name === 'sign-out')!;
    for (const width of [360, 1280]) {
      const [page] = await shown(play, { viewport: { width, height: 800 } });
      const boxes = await Promise.all(
        (await page.locator('.row :is(button, a)').all()).map((one) => one.boundingBox()),
      );
      assert.equal(boxes.length, 2);
      assert.equal(boxes[0]?.height, boxes[1]?.height);
    }
  });

  for (const { name, play } of scenes) {
    test(`${name}: nothing stands in anybody’s way`, async () => {
      const [page, complaints] = await shown(play, telephone);
      assert.deepEqual(await violations(page), []);
      assert.equal(await scrollsSideways(page), false);
      assert.deepEqual(await smallTargets(page), []);
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await scrollsSideways(page), false, 'enlarged');
      assert.match(await page.title(), / · Riverside School$/);
      assert.deepEqual(complaints, []);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await violations(page), [], 'in the dark');
    });
  }
});
