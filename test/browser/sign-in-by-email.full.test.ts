// Signing in by a link and confirming a new device in Chromium, without JavaScript: what users do with the emails that they get.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { describeAsync } from '#test/suites.ts';

const password = 'a quiet river by night';
const behalf = { caller: { id: 0, can: () => true } };
const viewport = { width: 360, height: 740 };

describeAsync('Signing in with an email in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const opened = async (module: string) => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const [site, suite] = await aGuardedSite(engine, {
      env: { GATEHOUSE_URL: url, GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1' },
      config: { port },
    });
    await suite.switches.set(module, true, behalf);
    await site.user({ login: 'kim', email: 'kim@site.test', password, roles: ['author'] });
    const linksIn = async (path: string): Promise<string[]> => {
      await site.app.services.events.settled();
      const text = (await mailsOf(site)).findLast(({ to }) => to === 'kim@site.test')?.text ?? '';
      return text.match(/http\S+/g)?.filter((link) => link.includes(path)) ?? [];
    };
    return { suite, url, linksIn };
  };
  const aPage = async (address = '203.0.113.7', userAgent?: string): Promise<Page> => {
    const extraHTTPHeaders = { 'x-forwarded-for': address };
    const device = { extraHTTPHeaders, ...(userAgent !== undefined && { userAgent }) };
    const context = await browser.newContext({ javaScriptEnabled: false, viewport, ...device });
    engine.atEnd(() => context.close());
    return context.newPage();
  };
  /** The page has this title, and anybody can use it. */
  const look = async (page: Page, title: string) => {
    assert.equal(await page.innerText('h1'), title);
    const reader = await browser.newContext({ viewport });
    const copy = await reader.newPage();
    await copy.setContent(await page.content());
    assert.deepEqual(await violations(copy), [], title);
    assert.deepEqual(await smallTargets(copy), [], title);
    assert.equal(await scrollsSideways(copy), false, title);
    await reader.close();
  };
  const signIn = async (page: Page, url: string) => {
    await page.goto(`${url}/login`);
    await page.fill('#log', 'kim');
    await page.fill('#pwd', password);
    await page.click('text=Sign in >> nth=-1');
    await page.waitForURL('**/account');
  };

  test('a link signs in, once, in the browser that asked for it', async () => {
    const { url, linksIn } = await opened('passwordless-login');
    const page = await aPage();
    await page.goto(`${url}/login?redirect_to=/account/sign-in-link`);
    await page.click('text=Email me a link to sign in');
    await look(page, 'Sign in by email');
    await page.fill('#user_login', 'kim');
    await page.press('#user_login', 'Enter');
    await look(page, 'Look at your email');
    const [link] = await linksIn('/sign-in-link?user=');
    const elsewhere = await aPage();
    await elsewhere.goto(link!);
    await look(elsewhere, 'Open this link in the other browser');
    await page.goto(link!);
    await look(page, 'Sign in');
    await page.click('button');
    await page.waitForURL('**/account/sign-in-link');
    await look(page, 'Links by email');
    await page.goto(link!);
    await look(page, 'This link has expired');
    await page.click('text=Request a new link');
    await look(page, 'Sign in by email');
  });

  test('a new device is confirmed, and another one denied', async () => {
    const { suite, url, linksIn } = await opened('fingerprinting');
    const notifications = { 'unrecognized-login': { enabled: true } };
    await suite.settings.overlay('notification-center', { notifications }, behalf);
    const group = await suite.groups.add({ label: 'Authors', roles: ['author'] });
    const values = { group: ['id' in group ? group.id : ''], restrict_capabilities: true };
    await suite.settings.overlay('fingerprinting', values, behalf);
    await signIn(await aPage(), url);
    const phone = await aPage(
      '198.51.100.9',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
    );
    await signIn(phone, url);
    await phone.goto(`${url}/account/devices`);
    await look(phone, 'Your devices');
    assert.match(await phone.innerText('main'), /This device is not confirmed/);
    await phone.goto((await linksIn('do=approve'))[0]!);
    await look(phone, 'Is this your device?');
    await phone.click('button');
    await look(phone, 'The device is confirmed');
    await phone.goto(`${url}/account/devices`);
    await look(phone, 'Your devices');
    assert.match(await phone.innerText('main'), /\(this device\)/);

    const stolen = await aPage(
      '192.0.2.44',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
    );
    await signIn(stolen, url);
    await phone.goto((await linksIn('do=deny'))[0]!);
    await look(phone, 'Deny this device?');
    await phone.click('button');
    await look(phone, 'The device is denied');
    await stolen.goto(`${url}/account`);
    await look(stolen, 'Sign in');
  });
});
