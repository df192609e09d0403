// The kinds of captcha that look at who sends a form when it is sent, in a browser. The script of their maker is a double.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aBrowser } from '#test/browser.ts';
import { inOneSite, password } from '#test/captcha.ts';
import { testEngine } from '#test/databases.ts';
import { describeAsync } from '#test/suites.ts';

/** As its maker's does: it is ready once it is loaded, and says of everybody that they are no program. */
const makers = `
  const solved = (token) => {
    const field = document.createElement('textarea');
    Object.assign(field, { name: 'g-recaptcha-response', value: token, hidden: true });
    document.querySelector('div.g-recaptcha').append(field);
    window.captchaSolved(token);
  };
  window.grecaptcha = {
    ready: (work) => setTimeout(work),
    execute: async (key, about) => (key ? key + ' ' + about.action : solved('unseen')),
  };
`;

describeAsync('A captcha in a browser', async () => {
  const engine = testEngine('sqlite');
  const site = inOneSite(engine);
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const kinds = [
    ['v3', 'public-key login', { success: true, score: 0.9 }],
    ['invisible', 'unseen', { success: true }],
  ] as const;
  const asked = [false, true].flatMap((gdpr) => kinds.map((kind) => [gdpr, ...kind] as const));
  for (const [gdpr, type, token, said] of asked)
    test(`of the kind ${type} is answered when the form is sent, ${gdpr ? 'once they agreed' : 'and the form goes on by itself'}`, async () => {
      const { own, maker } = await site({ type, login: true, gdpr }, (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(said)),
      );
      const context = await browser.newContext();
      engine.atEnd(() => context.close());
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      const loaded: string[] = [];
      await page.route('https://www.google.com/**', (route) => {
        loaded.push(route.request().url());
        return route.fulfill({ contentType: 'text/javascript', body: makers });
      });
      await page.goto(`${own.origin}/login`);
      await page.fill('#log', 'kim');
      await page.fill('#pwd', password);
      if (gdpr) {
        assert.deepEqual(loaded, []);
        await page.click('text=I agree, show it');
        await page.waitForFunction('window.grecaptcha');
      }
      await page.click('button');
      await page.waitForURL('**/account');
      assert.deepEqual(
        maker.asked.map(({ form }) => form.get('response')),
        [token],
      );
      assert.deepEqual(complaints, []);
    });
});
