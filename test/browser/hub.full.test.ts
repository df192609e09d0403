// The table of a hub, as everybody has to be able to read it: with a reader, on a telephone, in the dark, and at a desk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sessionCookie } from '#site/identity/credential.ts';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { aHubHouse, inventory } from '#test/hub-house.ts';
import { describeAsync } from '#test/suites.ts';

describeAsync('The table of a hub in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  async function shown(): Promise<Page> {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Scoil Náisiúnta Chnoc an Teampaill, the school on the hill');
    await sync(inventory('https://a-very-long-name-of-a-school-without-any-blank-in-it.example'));
    const { sync: other } = await hub.knows('<b>Mill</b>');
    await other(
      inventory('https://mill.example', {
        app_version: 'w'.repeat(200),
        health: { status: 'critical', checks: { critical: 3 } },
      }),
    );
    await hub.sites.add('Quiet');
    const context = await browser.newContext({ viewport: { width: 360, height: 640 }, javaScriptEnabled: true });
    engine.atEnd(() => context.close());
    const value = await hub.session('administrator');
    await context.addCookies([{ name: sessionCookie, value, url: hub.origin }]);
    const page = await context.newPage();
    await page.goto(`${hub.origin}/hub`);
    return page;
  }

  test('nothing stands in anybody’s way', async () => {
    const page = await shown();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await smallTargets(page), []);
    for (const width of [320, 360, 700, 740, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await scrollsSideways(page), false, `${width} pixels wide`);
    }
    assert.deepEqual(await violations(page), [], 'at a desk');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page), [], 'in the dark');
    assert.equal(await page.getByRole('row').count(), 4);
  });
});
