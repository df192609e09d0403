// Two-factor authentication in Chromium, without JavaScript: a user who must use it is led through setting it up, loses the phone, and
// is let in by a recovery code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { minute } from '#lib/spans.ts';
import { authenticator, recoveryCodesIn } from '#test/authenticator-app.ts';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

const password = 'a quiet river by night';
const behalf = { caller: { id: 0, can: () => true } };

describeAsync('Two-factor authentication in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  test('is set up at the first sign-in, and a lost phone is mended with a recovery code', async () => {
    let now = noon;
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const [site, suite] = await aGuardedSite(engine, {
      clock: () => now,
      env: { GATEHOUSE_URL: url },
      config: { port },
    });
    await suite.switches.set('two-factor', true, behalf);
    const group = await suite.groups.add({ label: 'Editors', roles: ['editor'] });
    await suite.settings.overlay('two-factor', { protect_user_group: ['id' in group ? group.id : ''] }, behalf);
    await site.user({ login: 'kim', email: 'kim@site.test', password, roles: ['editor'] });
    const later = () => {
      now = new Date(now.getTime() + 5 * minute);
    };
    const aPage = async (): Promise<Page> => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
      engine.atEnd(() => context.close());
      return context.newPage();
    };
    const signIn = async (page: Page) => {
      await page.goto(`${url}/login`);
      await page.fill('#log', 'kim');
      await page.fill('#pwd', password);
      await page.click('text=Sign in >> nth=-1');
    };
    const look = async (page: Page, title: string) => {
      assert.equal(await page.innerText('h1'), title);
      const reader = await browser.newContext({ viewport: { width: 360, height: 740 } });
      const copy = await reader.newPage();
      await copy.setContent(await page.content());
      assert.deepEqual(await violations(copy), [], title);
      assert.deepEqual(await smallTargets(copy), [], title);
      assert.equal(await scrollsSideways(copy), false, title);
      await reader.close();
    };
    const emailedCode = async () =>
      /^\d{8}$/m.exec((await mailsOf(site)).findLast(({ to }) => to === 'kim@site.test')?.text ?? '')?.[0] ?? '';

    const first = await aPage();
    await signIn(first);
    await look(first, 'Enter your code');
    await first.fill('#two_factor_code', await emailedCode());
    await first.press('#two_factor_code', 'Enter');
    await look(first, 'Set up two-factor authentication');
    assert.match(await first.innerText('main'), /must use two-factor authentication/);
    const shown = await first.content();
    const codes = recoveryCodesIn(shown);
    assert.equal(codes.length, 10);
    await first.fill('#two_factor_code', authenticator(shown, () => now).code());
    await first.press('#two_factor_code', 'Enter');
    await first.waitForURL('**/account');

    later();
    const second = await aPage();
    await signIn(second);
    await look(second, 'Enter your code');
    assert.match(await second.innerText('main'), /recovery code/i);
    await second.fill('#two_factor_code', codes[0]!);
    await second.press('#two_factor_code', 'Enter');
    await second.waitForURL('**/account');
    await second.click('a:has-text("Two-factor authentication")');
    await look(second, 'Two-factor authentication');
    assert.match(await second.innerText('main'), /You have 9 left/);

    // The lost phone is replaced by emailed codes, and these by a new phone.
    const sure = (form: string) => second.locator('form', { has: second.locator(`[name=do][value=${form}]`) });
    const send = async (form: string, summary: string) => {
      await second.click(`summary:has-text("${summary}")`);
      await sure(form).locator('[name=sure]').fill(password);
      await sure(form).locator('button').first().click();
    };
    await send('email', 'Use emailed codes');
    await sure('email-code')
      .locator('[name=two_factor_code]')
      .fill(await emailedCode());
    await sure('email-code').locator('button').first().click();
    await send('app-off', 'Remove the app');
    await second.click('summary:has-text("Set up an app")');
    const phone = authenticator(await second.content(), () => now);
    await sure('app').locator('[name=two_factor_code]').fill(phone.code());
    await sure('app').locator('[name=sure]').fill(password);
    await sure('app').locator('button').first().click();
    assert.match(await second.innerText('main'), /The authenticator app is set up/);

    later();
    const third = await aPage();
    await signIn(third);
    await third.fill('#two_factor_code', phone.code());
    await third.press('#two_factor_code', 'Enter');
    await third.waitForURL('**/account');
    const subjects = (await mailsOf(site)).map(({ subject }) => subject.replace(/^\[.*?\] /, ''));
    for (const told of [
      'An authenticator app was set up',
      'A recovery code was used',
      'An authenticator app was removed',
    ])
      assert.ok(subjects.includes(told), told);
  });
});
