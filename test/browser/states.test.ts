// One state each of an account page, a public page and the table of a hub. The full run looks at every state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sessionCookie } from '#site/identity/credential.ts';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { aHubHouse, inventory } from '#test/hub-house.ts';
import { publicScenes } from '#test/public-scenes.ts';
import { type Scene, scenes } from '#test/scenes.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

describeAsync('In a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const aPage = async (): Promise<{ page: Page; complaints: string[] }> => {
    const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    return { page, complaints };
  };

  /** On a phone, enlarged and in the dark. */
  const assertAccessible = async (page: Page): Promise<void> => {
    assert.deepEqual(await violations(page), []);
    assert.equal(await scrollsSideways(page), false);
    await page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await scrollsSideways(page), false, 'enlarged');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page), [], 'in the dark');
  };

  const play = async (all: readonly Scene[], wanted: string): Promise<Page> => {
    const scene = all.find(({ name }) => name === wanted) ?? assert.fail(wanted);
    const { page, complaints } = await aPage();
    await scene.play({ site: await aSite(engine), page });
    assert.deepEqual(complaints, []);
    return page;
  };

  test('an account page is accessible', async () => {
    const page = await play(scenes, 'account');
    assert.deepEqual(await smallTargets(page), []);
    await assertAccessible(page);
  });

  test('a public page is accessible', async () => assertAccessible(await play(publicScenes, 'post')));

  test('the table of a hub is accessible', async () => {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Mill');
    await sync(inventory('https://mill.example'));
    const { page } = await aPage();
    await page
      .context()
      .addCookies([{ name: sessionCookie, value: await hub.session('administrator'), url: hub.origin }]);
    await page.goto(`${hub.origin}/hub`);
    assert.equal(await page.getByRole('row').filter({ hasText: 'Mill' }).count(), 1);
    assert.deepEqual(await smallTargets(page), []);
    await assertAccessible(page);
  });
});
