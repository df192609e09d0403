// The guards and the sign-in check of the tweaks.

import { Problem } from '#kernel/problem.ts';
import type { Services } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Attempt, Check } from '#site/identity/checks.ts';
import type { Settings } from '../../settings/types.ts';
import { secured } from './https.ts';
import { restricting } from './restricted.ts';
import { type CoreTweaks, id } from './tweak-settings.ts';

interface Needs extends Pick<Services, 'clients' | 'content'> {
  /** The address of the site. */
  readonly url: string;
  readonly settings: Pick<Settings, 'of' | 'isReady'>;
  isRunning(module: string): boolean;
}

export interface Tweaks {
  readonly guards: readonly Guard[];
  readonly check: Check;
}

export function createTweaks({ url, clients, content, settings, isRunning }: Needs): Tweaks {
  // At the command line nobody waits until it is read what is set.
  const now = (): CoreTweaks | undefined =>
    settings.isReady && isRunning(id) ? settings.of<CoreTweaks>(id) : undefined;
  return {
    guards: [
      secured({ url, clients, isOn: () => isRunning('ssl') }),
      restricting({ kinds: content.kinds, isRestricted: () => now()?.rest_api === 'restrict-access' }),
    ],
    check: {
      ...checkingLogins(() => now()?.valid_user_login_type ?? 'both'),
      hidesLogins: () => now()?.force_unique_nicename === true,
    },
  };
}

type Kind = CoreTweaks['valid_user_login_type'];

/** Programs have passwords of their own, and names that were set up with them. */
const checkingLogins = (kind: () => Kind): Check => ({
  attempt(attempt) {
    const wanted = kind();
    if (wanted === 'both' || attempt.by !== 'password' || isOf(wanted, attempt)) return;
    throw new Problem(403, `secsuite.core-tweaks.${wanted}-wanted`, sentences[wanted]);
  },
});

/** By how it is written: whether there is such a user is told to nobody. A name that is written as an address is a name for its user. */
function isOf(kind: Exclude<Kind, 'both'>, { login, user }: Attempt): boolean {
  const [typed, isAddress] = [login.toLowerCase(), login.includes('@')];
  if (kind === 'email') return isAddress && (user === undefined || user.email.toLowerCase() === typed);
  return !isAddress || user?.login.toLowerCase() === typed;
}

const sentences = {
  email: 'Please sign in with your mail address.',
  username: 'Please sign in with your user name.',
};
