// Passkeys in Chromium, with its authenticators in software: made, used with and without a name, removed and restored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { aBrowser, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { aSiteOfPasskeys } from '#test/passkeys-site.ts';
import { describeAsync } from '#test/suites.ts';

const password = 'a quiet river by night';

interface Kind {
  readonly transport: 'internal' | 'usb';
  readonly hasResidentKey: boolean;
  readonly hasUserVerification: boolean;
}

/**
 * Chromium 156 puts a passkey in the list of a device without a PIN if the device is `internal`. It then uses the passkey only after the
 * user name was typed: without a name, it ends the sign-in at once with `NotAllowedError`. On `usb`, it ends the registration in the same
 * way within 20 ms if an entry in the list is preferred (as this site does) or required. It registers one there with
 * `residentKey: 'discouraged'`, and leaves the list empty. CTAP 2.0 and 2.1 are the same.
 */
const kinds: readonly Kind[] = [
  { transport: 'internal', hasResidentKey: true, hasUserVerification: true },
  { transport: 'internal', hasResidentKey: false, hasUserVerification: true },
  { transport: 'internal', hasResidentKey: true, hasUserVerification: false },
  { transport: 'usb', hasResidentKey: true, hasUserVerification: true },
  { transport: 'usb', hasResidentKey: false, hasUserVerification: true },
  { transport: 'usb', hasResidentKey: false, hasUserVerification: false },
];
const refused: Kind = { transport: 'usb', hasResidentKey: true, hasUserVerification: false };

const needsName = ({ hasResidentKey, hasUserVerification }: Kind): boolean => !hasResidentKey || !hasUserVerification;

describeAsync('Passkeys in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const opened = async (kind: Kind | undefined) => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const made = await aSiteOfPasskeys(engine, { env: { GATEHOUSE_URL: url }, config: { port } });
    await made.site.user({ login: 'kim', email: 'kim@site.test', password, roles: ['author'] });
    return { ...made, url, ...(await aPage(browser, kind)) };
  };

  const signInByPassword = async (page: Page, url: string) => {
    await page.goto(`${url}/login?redirect_to=/account/passkeys`);
    await page.fill('#log', 'kim');
    await page.fill('#pwd', password);
    await page.click('text=Sign in >> nth=-1');
    await page.waitForURL('**/account/passkeys');
  };

  const signOut = async (page: Page, url: string) => {
    await page.context().clearCookies();
    await page.goto(`${url}/login`);
  };

  for (const kind of kinds)
    test(`made on ${kind.transport}, ${kind.hasResidentKey ? 'with' : 'without'} a list of its own, ${kind.hasUserVerification ? 'with' : 'without'} a PIN, sign in`, async () => {
      const { page, url, complaints, simulate } = await opened(kind);
      /** A browser that offers the passkey by itself may be quicker than the button: then there is none any more. */
      const enter = async () => {
        await simulate(true);
        if (needsName(kind)) await page.fill('#log', 'kim');
        const click = page.click('button:has-text("Sign in with a passkey")', { timeout: 5000 });
        await (needsName(kind) ? click : click.catch(() => {}));
      };
      await signInByPassword(page, url);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await smallTargets(page), []);
      await page.fill('#new-label', 'My key');
      await page.click('button:has-text("Add a passkey")');
      await page.waitForURL('**/account/passkeys?done=added');
      assert.match(await page.innerText('main'), /My key/);
      assert.deepEqual(await violations(page), []);

      await simulate(false);
      await signOut(page, url);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await smallTargets(page), []);
      await enter();
      await page.waitForURL('**/account');
      assert.match(await page.innerText('main'), /kim@site\.test/);

      await page.goto(`${url}/account/passkeys`);
      await page.click('summary:has-text("Remove")');
      await page.click('button:has-text("Yes, remove it")');
      await page.waitForURL('**/account/passkeys?done=removed');
      await simulate(false);
      await signOut(page, url);
      await enter();
      await page.waitForSelector('[data-passkey] [role=alert]:not(:empty)');

      await signInByPassword(page, url);
      await page.click('button:has-text("Restore")');
      await page.waitForURL('**/account/passkeys?done=restored');
      await simulate(false);
      await signOut(page, url);
      await enter();
      await page.waitForURL('**/account');
      assert.deepEqual(complaints, []);
    });

  test('are offered with the names that the browser fills in', async () => {
    const { page, url } = await opened(kinds[0]);
    await signInByPassword(page, url);
    await page.click('button:has-text("Add a passkey")');
    await page.waitForURL('**/account/passkeys?done=added');
    await signOut(page, url);
    // The authenticator in software chooses the only passkey there is at once.
    await page.waitForURL('**/account');
  });

  test('that Chromium refuses to make, and that need a name, show why nothing happened', async () => {
    const alert = '[data-passkey] [role=alert]:has-text("No passkey was used")';
    const usb = await opened(refused);
    await signInByPassword(usb.page, usb.url);
    await usb.page.click('button:has-text("Add a passkey")');
    await usb.page.waitForSelector(alert);

    const { page, url } = await opened({ ...refused, transport: 'internal' });
    await signInByPassword(page, url);
    await page.click('button:has-text("Add a passkey")');
    await page.waitForURL('**/account/passkeys?done=added');
    await signOut(page, url);
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForSelector(alert);
  });

  test('that check nobody are refused where the site asks for that', async () => {
    const { page, url, set } = await opened(kinds.at(-1));
    await set('passwordless-login', { passkey_user_verification: 'required' });
    await signInByPassword(page, url);
    await page.click('button:has-text("Add a passkey")');
    await page.waitForSelector('[data-passkey] [role=alert]:not(:empty)');
  });

  test('need no script where there are none: the page is as it was', async () => {
    const { url } = await opened(undefined);
    const context = await browser.newContext({ javaScriptEnabled: false });
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    await signInByPassword(page, url);
    assert.match(await page.innerText('main'), /You have no passkey yet/);
    assert.equal(await page.isVisible('button:has-text("Add a passkey")'), false);
  });
});

async function aPage(browser: Browser, kind: Kind | undefined) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = kind
    ? await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ...kind,
          isUserVerified: kind.hasUserVerification,
          automaticPresenceSimulation: true,
        },
      })
    : { authenticatorId: '' };
  /** Whether a finger is on the device. */
  const simulate = (enabled: boolean) =>
    session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  return { page, complaints, simulate };
}
