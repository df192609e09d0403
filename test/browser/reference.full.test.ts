// The page that shows the OpenAPI document, in a browser that tells of every request and of all that the policy keeps out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { aBrowser, seriousViolations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { password, signIn } from '#test/scenes.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

/** A visitor is told with 400 that there is no session to have a token for; a browser calls that an error. */
const isExpected = (url: string): boolean => url.includes('admin-ajax.php?action=rest-nonce');

describeAsync('The reference page', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  /** A browser page that may ask this site alone, and may have nothing to complain of. */
  async function aPage({ origin }: TestSite) {
    const context = await browser.newContext();
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    const asked: Request[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.location().url)) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const isFine = (): void => {
      const elsewhere = asked
        .map((one) => one.url())
        .filter((url) => !/^data:/.test(url) && !url.startsWith(`${origin}/`));
      assert.deepEqual([elsewhere, complaints], [[], []]);
    };
    return { page, asked, isFine };
  }

  /** The operation of this id, open to be tried. Only what is in sight is on the page: the filter brings it there. */
  async function operation(page: Page, id: string, path: string): Promise<Locator> {
    await page.getByPlaceholder('Filter by tag or path').fill(path);
    const found = page.locator(`[id$="-${id}"]`);
    await found.locator('.opblock-summary-control').click();
    await found.getByRole('button', { name: 'Try it out' }).click();
    return found;
  }

  /** What the operation is answered, as the page shows it. */
  async function executed(one: Locator): Promise<string> {
    await one.getByRole('button', { name: 'Execute' }).click();
    const answer = one.locator('.live-responses-table');
    await answer.waitFor();
    return answer.innerText();
  }

  for (const face of ['api', 'wp-json']) {
    test(`shows the operations of /${face}, and asks no other host`, async () => {
      const site = await aSite(engine);
      const { page, isFine } = await aPage(site);
      await page.goto(`${site.origin}/${face}/docs`);
      await page.getByText('Several writes in one request').waitFor();
      await page.getByText('The index of the API').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      isFine();
    });
  }

  test('lets a visitor try an operation, of a site below a path and with a root of its own', async () => {
    const env = { GATEHOUSE_URL: 'http://site.test/parish', GATEHOUSE_API_PREFIX: 'rest' };
    const site = await aSite(engine, { env });
    const { page, isFine } = await aPage(site);
    await page.goto(`${site.origin}/parish/rest/docs`);
    const types = await operation(page, 'getCoreV2Types', '/core/v2/types');
    const answer = await executed(types);
    assert.match(answer, /^200\s/m);
    assert.match(answer, /"rest_base": "posts"/);
    assert.deepEqual(await seriousViolations(page), []);
    isFine();
  });

  test('sends an application password', async () => {
    const site = await aSite(engine);
    const user = await site.user({ login: 'ada', roles: ['editor'] });
    const { password: secret } = await site.app.services.identity.applicationPasswords.add(user, { name: 'page' });
    const { page, isFine } = await aPage(site);
    await page.goto(`${site.origin}/api/docs`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const form = page.locator('.modal-ux');
    await form.locator('input[name=username]').fill('ada');
    await form.locator('input[name=password]').fill(secret);
    await form
      .getByRole('button', { name: /basic|credentials/i })
      .first()
      .click();
    await form.getByRole('button', { name: 'Close' }).first().click();
    const create = await operation(page, 'postCoreV2Tags', '/core/v2/tags');
    await create.getByLabel('Request body').fill('{"name": "Sent by the page"}');
    assert.match(await executed(create), /^201\s/m);
    assert.deepEqual(await seriousViolations(page), []);
    const { body } = await site.get('/api/core/v2/tags');
    assert.equal(body[0].name, 'Sent by the page');
    isFine();
  });

  test('acts with the session of a signed-in user', async () => {
    const site = await aSite(engine);
    await site.user({ login: 'ada', name: 'Ada Lovelace', roles: ['editor'], password });
    const { page, asked, isFine } = await aPage(site);
    await signIn({ site, page });
    await page.waitForURL('**/account');
    await page.goto(`${site.origin}/api/docs`);
    const me = await operation(page, 'getCoreV2UsersMe', '/core/v2/users');
    assert.match(await executed(me), /"name": "Ada Lovelace"/);
    const request = asked.find((one) => one.url().includes('/core/v2/users/me'));
    assert.match((await request?.allHeaders())?.['x-wp-nonce'] ?? '', /^\S+$/);
    isFine();
  });
});
