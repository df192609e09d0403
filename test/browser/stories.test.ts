// Whole stories in a browser, as people live them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aBrowser } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { linkIn } from '#test/mails.ts';
import { basicOf } from '#test/people.ts';
import { password, signIn } from '#test/scenes.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

describeAsync('In a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const opened = async (javaScriptEnabled = true): Promise<{ site: TestSite; page: Page }> => {
    const site = await aSite(engine);
    await site.user({ login: 'ada', name: 'Ada', roles: ['author'], password });
    const context = await browser.newContext({ javaScriptEnabled });
    engine.atEnd(() => context.close());
    return { site, page: await context.newPage() };
  };
  const me = (site: TestSite, secret: string) =>
    site.get('/wp-json/wp/v2/users/me', { authorization: basicOf('ada', secret) });
  const link = (site: TestSite, success: string): string =>
    `${site.origin}/wp-admin/authorize-application.php?${new URLSearchParams({ app_name: 'Phone', success_url: success })}`;

  /** From the link of an app, by way of signing in, to its answer. */
  const letIn = async ({ site, page }: { site: TestSite; page: Page }, success: string): Promise<void> => {
    await page.goto(link(site, success));
    await page.getByLabel('User name or email address').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Let an app act for you?' }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
  };

  /** An app on the same machine, which waits for its answer, and then goes on to another place of its own. */
  const anApp = async (): Promise<{ address: string; told: Promise<URL> }> => {
    const { promise, resolve } = Promise.withResolvers<URL>();
    const server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/back')) {
        resolve(new URL(url, 'http://127.0.0.1'));
        response
          .writeHead(302, { Location: `http://localhost:${(server.address() as AddressInfo).port}/thanks` })
          .end();
      } else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Thanks</title>');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    engine.atEnd(async () => void server.close());
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/back?app=1`, told: promise };
  };

  test('an app is let in from its link, uses its password, and is refused once that is taken back', async () => {
    const stage = await opened();
    const { site, page } = stage;
    const app = await anApp();
    await letIn(stage, app.address);
    const told = await app.told;
    await page.waitForURL('**/thanks');
    assert.deepEqual([...told.searchParams.keys()], ['app', 'site_url', 'user_login', 'password']);
    assert.deepEqual(
      [told.searchParams.get('site_url'), told.searchParams.get('user_login')],
      ['http://site.test', 'ada'],
    );
    const secret = told.searchParams.get('password')!;
    assert.equal((await me(site, secret)).body.name, 'Ada');
    await page.goto(`${site.origin}/account`);
    await page.locator('summary', { hasText: 'of “Phone”' }).click();
    await page.getByRole('button', { name: 'Yes, revoke it for “Phone”' }).click();
    await page.getByRole('status').waitFor();
    assert.equal((await me(site, secret)).status, 401);
  });

  test('a mobile app gets its answer at a scheme of its own, without any script', async () => {
    const stage = await opened(false);
    const answered = stage.page.waitForEvent('request', (request) => request.url().startsWith('parish-phone:'));
    await letIn(stage, 'parish-phone://signed-in');
    const told = new URL((await answered).url());
    assert.equal((await me(stage.site, told.searchParams.get('password')!)).status, 200);
  });

  test('a forgotten password is replaced by the link in the mail, once, and other sessions end', async () => {
    const { site, page } = await opened();
    await signIn({ site, page });
    await page.waitForURL('**/account');
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${site.origin}/login`);
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await other.getByLabel('User name or email address').fill('ada@site.test');
    await other.getByRole('button', { name: 'Send link' }).click();
    await other.getByRole('status').waitFor();
    const way = `${site.origin}${await linkIn(site)}`;
    await other.goto(way);
    assert.equal(other.url(), `${site.origin}/login?action=rp`, 'the key is on no screen');
    await other.getByLabel('New password', { exact: true }).fill('a wide blue lake');
    await other.getByLabel('New password again').fill('a wide blue lake');
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.getByText('Your new password is set').waitFor();
    await page.goto(`${site.origin}/account`);
    await page.waitForURL('**/login?*');
    await other.goto(way);
    await other.getByRole('heading', { name: 'This link has expired' }).waitFor();
    await signIn({ site, page }, 'a wide blue lake');
    await page.waitForURL('**/account');
    await other.context().close();
  });

  test('a form on another site reaches nothing', async () => {
    const { site, page } = await opened();
    await signIn({ site, page });
    await page.waitForURL('**/account');
    const evil = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(
        `<form method="post" action="${site.origin}/login"><input name="log" value="eva"><button>Go</button></form>`,
      );
    });
    await new Promise<void>((listening) => evil.listen(0, '127.0.0.1', listening));
    engine.atEnd(async () => void evil.close());
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`.replace('localhost', '127.0.0.1'));
    const answer = page.waitForResponse((response) => response.url() === `${site.origin}/login`);
    await page.getByRole('button', { name: 'Go' }).click();
    assert.equal((await answer).status(), 403);
  });

  test('nobody frames the page that lets an app in', async () => {
    const { site, page } = await opened();
    await signIn({ site, page });
    await page.waitForURL('**/account');
    const framed = page.waitForEvent('requestfailed');
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${link(site, 'phone://in')}"></iframe>`);
    assert.match((await framed).failure()?.errorText ?? '', /BLOCKED/);
  });
});
