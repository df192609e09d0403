// Every page people see and every state of it, each reached as a person reaches it. The tests look at them, and so do the
// pictures in docs/.
import type { Page } from 'playwright-core';
import { linkIn } from './mails.ts';
import { basicOf } from './people.ts';
import type { TestSite } from './site.ts';
import { author, exportOf, item } from './wxr.ts';

export interface Stage {
  readonly site: TestSite;
  readonly page: Page;
}

export interface Scene {
  readonly name: string;
  /** What a person can do here, for whoever looks at the picture; without it there is no picture. */
  readonly about?: string;
  play(stage: Stage): Promise<unknown>;
}

export const password = 'a quiet river';

const ada = (site: TestSite) =>
  site.user({ login: 'ada', name: 'Ada Lovelace', roles: ['administrator'], email: 'ada@example.org', password });

/** Fills in the form and sends it. */
export async function signIn({ site, page }: Stage, secret = password): Promise<void> {
  await page.goto(`${site.origin}/login`);
  await page.getByLabel('User name or email address').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signedIn(stage: Stage): Promise<void> {
  await ada(stage.site);
  await signIn(stage);
  await stage.page.waitForURL('**/account');
}

const asked = (site: TestSite, query: string): string => `${site.origin}/wp-admin/authorize-application.php?${query}`;
const phone = 'app_name=Parish%20Phone&success_url=https%3A%2F%2Fphone.example.org%2Fback&reject_url=phone%3A%2F%2Fout';

async function linked({ site, page }: Stage): Promise<void> {
  const user = await ada(site);
  await site.app.services.identity.resets.request(user.login, '192.0.2.1');
  await page.goto(`${site.origin}${await linkIn(site)}`);
}

async function withApps(stage: Stage, longName = false): Promise<void> {
  await signedIn(stage);
  const { applicationPasswords, sessions, users } = stage.site.app.services.identity;
  const user = (await users.named('ada'))!;
  const { password } = await applicationPasswords.add(user, { name: 'Parish Phone' });
  await stage.site.get('/api/core/v2/users/me', { authorization: basicOf('ada', password) });
  await applicationPasswords.add(user, { name: 'Newsletter' });
  if (longName) await applicationPasswords.add(user, { name: 'W'.repeat(60) });
  await sessions.start(user, true, { address: '192.0.2.44', agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' });
  await stage.page.reload();
}

const old = exportOf(
  author('bea'),
  item({ title: 'Rivers', 'dc:creator': 'bea' }),
  item({ title: 'Never', 'wp:post_date': '0000-00-00 00:00:00', 'wp:post_date_gmt': '' }),
);

async function moving(stage: Stage, text = old): Promise<void> {
  const { site, page } = stage;
  await signedIn(stage);
  await page.goto(`${site.origin}/wp-admin/import.php`);
  await page.getByLabel('The export file').setInputFiles({
    name: 'parish.2026-11-20.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(text),
  });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.waitForLoadState();
  await site.app.services.jobs.settled();
  await page.reload();
}

export const scenes: readonly Scene[] = [
  {
    name: 'sign-in',
    about: 'Sign in with a user name or an email address.',
    play: ({ site, page }) => page.goto(`${site.origin}/login`),
  },
  {
    name: 'sign-in-refused',
    about: 'The same answer to a wrong user name and a wrong password.',
    play: async (stage) => {
      await ada(stage.site);
      await signIn(stage, 'wrong');
      await stage.page.getByRole('alert').waitFor();
    },
  },
  { name: 'sign-in-again', play: ({ site, page }) => page.goto(`${site.origin}/login?reauth=1`) },
  {
    name: 'sign-out',
    about: 'A question, shown only if the link did not come from the site itself.',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(`${stage.site.origin}/wp-login.php?action=logout`);
    },
  },
  {
    name: 'signed-out',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await stage.page.getByRole('status').waitFor();
    },
  },
  {
    name: 'sign-in-damaged',
    play: ({ site, page }) => page.goto(`${site.origin}/wp-login.php?action=3Drp&key=x&login=ada`),
  },
  { name: 'missing', about: 'A URL without a page.', play: ({ site, page }) => page.goto(`${site.origin}/no/page`) },
  {
    name: 'forgotten',
    about: 'Ask for a link to choose a new password.',
    play: ({ site, page }) => page.goto(`${site.origin}/wp-login.php?action=lostpassword`),
  },
  {
    name: 'forgotten-sent',
    about: 'The same answer whether the account exists or not.',
    play: ({ site, page }) => page.goto(`${site.origin}/login?checkemail=confirm`),
  },
  { name: 'reset', about: 'Choose a new password, by the link in the message.', play: linked },
  {
    name: 'reset-refused',
    play: async (stage) => {
      await linked(stage);
      await stage.page.getByLabel('New password', { exact: true }).fill('a wide blue lake');
      await stage.page.getByLabel('New password again').fill('a wild lake');
      await stage.page.getByRole('button', { name: 'Set password' }).click();
      await stage.page
        .getByRole('textbox', { name: 'New password again' })
        .and(stage.page.locator('[aria-invalid]'))
        .waitFor();
    },
  },
  {
    name: 'reset-used-up',
    about: 'A link works once, within 24 hours.',
    play: ({ site, page }) => page.goto(`${site.origin}/wp-login.php?action=rp&key=old&login=ada`),
  },
  {
    name: 'authorise',
    about: 'An app requests a password of its own. The page shows the app, the account and where the password goes.',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(asked(stage.site, phone));
    },
  },
  {
    name: 'authorise-shown',
    about: 'If the app gives no URL, the page shows the password once.',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(asked(stage.site, 'app_name=Parish%20Phone'));
      await stage.page.getByRole('button', { name: 'Allow' }).click();
      await stage.page.getByRole('status').waitFor();
    },
  },
  {
    name: 'authorise-app',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(asked(stage.site, 'app_name=Parish%20Phone&success_url=parish-phone%3A%2F%2Fin'));
    },
  },
  {
    name: 'authorise-twice',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(asked(stage.site, 'app_name=Parish%20Phone'));
      await stage.page.getByRole('button', { name: 'Allow' }).click();
      await stage.page.getByRole('status').waitFor();
      await stage.page.reload();
      await stage.page.getByRole('heading', { name: 'You allowed this app already' }).waitFor();
    },
  },
  {
    name: 'authorise-refused',
    about: 'A URL that is not safe for a password is refused.',
    play: ({ site, page }) =>
      page.goto(asked(site, 'app_name=Parish%20Phone&success_url=http%3A%2F%2Fphone.example.org')),
  },
  {
    name: 'account',
    about:
      'Who you are, your email address and your password, the apps that act for you, your sessions, and the ways out.',
    play: (stage) => withApps(stage),
  },
  {
    name: 'account-asking',
    play: async (stage) => {
      await withApps(stage, true);
      for (const summary of await stage.page.locator('summary').all()) await summary.click();
    },
  },
  {
    name: 'account-new-app',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.getByLabel('Name of the app').fill('Desk');
      await stage.page.getByRole('button', { name: 'Create password' }).click();
      await stage.page.getByRole('status').waitFor();
    },
  },
  {
    name: 'account-new-app-twice',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.getByLabel('Name of the app').fill('Desk');
      await stage.page.getByRole('button', { name: 'Create password' }).click();
      await stage.page.getByRole('status').waitFor();
      await stage.page.reload();
      await stage.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'account-without-address',
    play: async (stage) => {
      await stage.site.app.services.identity.users.add({ login: 'ada', roles: ['administrator'], password });
      await signIn(stage);
      await stage.page.waitForURL('**/account');
    },
  },
  {
    name: 'account-address-refused',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.locator('summary', { hasText: 'Change the email address' }).click();
      await stage.page.getByLabel('New email address').fill('ada@example.com');
      await stage.page.getByRole('textbox', { name: 'Your password' }).fill('wrong');
      await stage.page.getByRole('button', { name: 'Change email address' }).click();
      await stage.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'account-refused',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.getByLabel('Current password').fill('wrong');
      await stage.page.getByLabel('New password', { exact: true }).fill('a wide blue lake');
      await stage.page.getByLabel('New password again').fill('a wide blue lake');
      await stage.page.getByRole('button', { name: 'Change password' }).click();
      await stage.page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'import',
    about: 'Import the content of another site from its export file.',
    play: async (stage) => {
      await signedIn(stage);
      await stage.page.goto(`${stage.site.origin}/wp-admin/import.php`);
    },
  },
  {
    name: 'import-done',
    about: 'The result of an import: what was created, skipped and not imported.',
    play: (stage) => moving(stage),
  },
  { name: 'import-refused', play: (stage) => moving(stage, 'No export.') },
];
