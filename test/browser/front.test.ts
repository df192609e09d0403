import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { password, signIn } from '#test/scenes.ts';
import { aSite } from '#test/site.ts';

describe('The front page in a browser', async () => {
  const engine = testEngine('sqlite');
  const site = await aSite(engine, { config: { url: 'http://localhost:1' } });
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  test('shows whose site it is and where its interface is, readable for everybody', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${site.origin}/`);
    assert.equal(await page.title(), site.config.deployment.settings.title);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), site.config.deployment.settings.title);
    const link = page.getByRole('link', { name: 'The interface of this site' });
    assert.deepEqual(await smallTargets(page), []);
    assert.equal(await link.getAttribute('href'), 'http://localhost:1/wp-json/');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
  });

  test('says who is signed in, as readable', async () => {
    const page = await browser.newPage();
    await site.user({ login: 'ada', name: 'Ada', roles: ['author'], password });
    await signIn({ site, page });
    await page.goto(`${site.origin}/`);
    await page.getByText('You are signed in as Ada').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await smallTargets(page), []);
  });

  test('fits a narrow telephone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    await page.goto(`${site.origin}/`);
    assert.equal(await scrollsSideways(page), false);
  });
});
