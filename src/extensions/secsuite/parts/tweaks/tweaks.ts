// The guards and the sign-in check of the tweaks.

import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { Services } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Attempt, Check } from '#site/identity/checks.ts';
import type { Clients } from '#site/identity/clients.ts';
import type { Settings } from '../../settings/types.ts';
import { restricting } from './restricted.ts';

/** HTTPS for everything: requests that reached the proxy over plain HTTP are redirected. */
interface HttpsDeps {
  /** The address of the site. */
  readonly url: string;
  readonly clients: Pick<Clients, 'hasTrusted' | 'isTrusted'>;
  isOn(): boolean;
}

function secured({ url, clients, isOn }: HttpsDeps): Guard {
  const isSecure = url.startsWith('https:');
  return {
    arriving(knock) {
      if (!isSecure || !isOn() || !isPlain(knock, clients)) return undefined;
      return { problem: refusal(), to: `${url}${knock.url}` };
    },
  };
}

/** Only the proxy knows; a program on this machine that asks directly is let pass. */
function isPlain({ headers, peer }: Knock, { hasTrusted, isTrusted }: HttpsDeps['clients']): boolean {
  const said = [headers['x-forwarded-proto']].flat().join(',').split(',', 1)[0]!.trim().toLowerCase();
  return said === 'http' && (!hasTrusted || isTrusted(peer));
}

const refusal = (): Problem =>
  new Problem(403, 'secsuite_https_required', 'This site is read with HTTPS only. Please ask again by that.');

// What is set of the interface and the accounts.

const id = 'core-tweaks';

interface CoreTweaks {
  readonly rest_api: 'default-access' | 'restrict-access';
  readonly valid_user_login_type: 'both' | 'email' | 'username';
  readonly force_unique_nicename: boolean;
}

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
