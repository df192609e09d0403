// Galleries as a browser shows them: no layout shift, no accessibility violation, and the lightbox by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aBrowser, scrollsSideways, violations } from '#test/browser.ts';
import { eachEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { picture, quartered } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { imageOptimizer, send } from '#test/uploads.ts';

const core = '/api/core/v2';
const many = 200;

const shiftObserver = `window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** A gallery of two pictures, whose lightbox ends, has no arrows and stays closed on phones. */
async function keepsToSettings(page: Page, link: string): Promise<void> {
  await page.goto(link, { waitUntil: 'load' });
  await page.locator('.gallery-item a').first().click();
  await page.getByText('1 of 2').waitFor();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await page.getByText('2 of 2').waitFor();
  const arrow = await page.locator('dialog[open] button[aria-label="Previous picture"]').boundingBox();
  assert.ok((arrow?.width ?? 0) <= 1, `An arrow is ${arrow?.width} pixels wide.`);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('.gallery-item a').first().click();
  await page.waitForURL(/\.(?:jpg|webp)$/);
}

eachEngine('Galleries in a browser', (engine) => {
  test('200 pictures in each layout keep their places, and the lightbox works by keyboard', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const site = await aSite(engine, { env: { GATEHOUSE_URL: url }, config: { port } });
    const editor = site.as('editor');
    const shapes = [await picture(640, 427), await quartered(600, 800), await quartered(500, 500)];
    const ids: number[] = [];
    for (let at = 0; at < many; at++)
      ids.push((await send(site, 'administrator', `p${at}.jpg`, shapes[at % 3]!, `?alt_text=Picture ${at}`)).body.id);
    assert.equal((await imageOptimizer(site).post({ action: 'optimize', id: ids[0] })).status, 'optimized');
    const items = ids.map((id, at) => ({ id, caption: at % 5 === 0 ? 'A <em>caption</em>' : '' }));
    const browser = await aBrowser();
    engine.atEnd(() => browser.close());
    const wrong: string[] = [];
    for (const [layout, config] of Object.entries({
      justified: { columns: 0 },
      columns: { columns: 4, isotope: 0 },
      masonry: { columns: 3 },
    })) {
      const said = { title: layout, status: 'publish', gallery_data: { config, items } };
      const { body: gallery } = await editor.post(`${core}/galleries`, said);
      for (const width of [1_280, 390]) {
        const page = await browser.newPage({ viewport: { width, height: 800 } });
        await page.addInitScript(shiftObserver);
        await page.goto(gallery.link, { waitUntil: 'load' });
        await page.evaluate(`(async () => {
          for (let y = 0; y < document.body.scrollHeight; y += 600) {
            scrollTo(0, y);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          }
          scrollTo(0, 0);
        })()`);
        const first = await page.evaluate("document.querySelector('.gallery-item img').currentSrc");
        if (!/\.webp$/.test(String(first))) wrong.push(`${layout} at ${width} shows ${first}`);
        const shift = (await page.evaluate('window.shift')) as number;
        if (shift > 0.02) wrong.push(`${layout} at ${width}: layout shift ${shift}`);
        if (await scrollsSideways(page)) wrong.push(`${layout} at ${width} scrolls sideways`);
        wrong.push(...(await violations(page)).map((one) => `${layout} at ${width}: ${one.slice(0, 300)}`));

        await page.locator('.gallery-item a').first().focus();
        await page.keyboard.press('Enter');
        await page.getByText('1 of 200').waitFor();
        await page.keyboard.press('ArrowRight');
        await page.getByText('2 of 200').waitFor();
        assert.equal(await page.locator('dialog[open] img').getAttribute('alt'), 'Picture 1');
        wrong.push(...(await violations(page)).map((one) => `lightbox at ${width}: ${one.slice(0, 300)}`));
        await page.keyboard.press('Escape');
        await page.locator('a:focus img[alt="Picture 1"]').waitFor();
        await page.close();
      }
    }
    const config = { loop: 0, arrows: 0, mobile_lightbox: 0 };
    const said = { title: 'Ends', status: 'publish', gallery_data: { config, items: items.slice(0, 2) } };
    const { body: short } = await editor.post(`${core}/galleries`, said);
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await keepsToSettings(page, short.link);
    assert.deepEqual(wrong, []);
  });
});
