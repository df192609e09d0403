// What people may enter beside their password: their name, their mail address, or either.
import { Problem } from '#kernel/problem.ts';
import type { Attempt, Check } from '#site/identity/checks.ts';
import type { CoreTweaks } from './tweak-settings.ts';

type Kind = CoreTweaks['valid_user_login_type'];

/** Programs have passwords of their own, and names that were set up with them. */
export const checkingLogins = (kind: () => Kind): Check => ({
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
