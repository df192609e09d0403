// The page that shows the OpenAPI document, in a browser that tells of every request and of all that the policy keeps out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aBrowser } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

describe('The reference page', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  for (const face of ['api', 'wp-json']) {
    test(`shows the operations of /${face}, and asks no other host`, async () => {
      const { origin } = await aSite(engine);
      const page = await browser.newPage();
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${origin}/${face}/docs`);
      await page.getByText('Several writes in one request').waitFor();
      await page.getByText('What this site serves').waitFor();
      const elsewhere = asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'));
      assert.deepEqual(elsewhere, []);
      assert.deepEqual(
        complaints.filter((text) => !text.startsWith('Failed to load resource')),
        [],
      );
      await page.close();
    });
  }
});
