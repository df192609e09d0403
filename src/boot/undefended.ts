// What keeps the security suite from defending the site, so that nobody forgets to undo it. The start, doctor and site health say it.
import { type Check, note, ok, type Seen, warning } from '#site/health/check.ts';
import type { Extensions } from '#site/packages/packages.ts';
import { type Config, envOf } from '../config.ts';

export const suiteSlug = 'security-suite';

/** What ends with the suite, for the question before it is turned off. */
export const stopsWithSuite: readonly string[] = [
  'lockouts after wrong passwords, bans and the shared blocklist',
  'the firewall and its rules',
  'the CAPTCHA, password rules and the hidden sign-in page',
  'the security log, security emails and scheduled backups of the database',
  'the routes under secsuite/v1',
];

export interface Undefended {
  readonly what: string;
  /** The setting or the command that undoes it. */
  readonly by: string;
  readonly remedy: string;
}

/** `isSuiteOn`: what people said of it, where that is known; the deployment file otherwise. */
export function undefendedIn({ deployment, security }: Config, isSuiteOn = true): Undefended | undefined {
  if (deployment.extensions[suiteSlug] !== true) return undefined;
  const activate = `gatehouse extension activate ${suiteSlug}`;
  if (!isSuiteOn)
    return { what: 'the security suite is not active', by: activate, remedy: `Activate it: "${activate}".` };
  const bySetting = (what: string, setting: string): Undefended => ({
    what,
    by: setting,
    remedy: `Mend what is wrong, and start the site without ${setting}.`,
  });
  if (!security.suite) return bySetting('the security suite is switched off', envOf('securitySuite'));
  if (!security.firewall) return bySetting('no rule of the firewall is run', envOf('firewall'));
  return undefined;
}

export async function undefendedNow(
  config: Config,
  extensions: Pick<Extensions, 'find'>,
): Promise<Undefended | undefined> {
  const suite = await extensions.find(suiteSlug);
  return undefendedIn(config, suite?.active);
}

export const defenceCheck = (config: Config, extensions: Pick<Extensions, 'find'>): Check => ({
  name: 'defence',
  what: 'Defence',
  about: 'Whether the security suite defends the site: lockouts, bans and the firewall.',
  badge: 'Security',
  async look() {
    if (config.deployment.extensions[suiteSlug] !== true) return note('the deployment does without a security suite');
    return seenOf(await undefendedNow(config, extensions)) ?? ok('the security suite defends the site');
  },
});

export const seenOf = (undefended: Undefended | undefined): Seen | undefined =>
  undefended && warning(undefended.what, undefended.remedy);
