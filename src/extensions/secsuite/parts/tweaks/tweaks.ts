// The guards and the sign-in check of the tweaks.

import { defineError } from '#kernel/problem.ts';
import type { IncomingRequest } from '#kernel/request.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import type { Kinds } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
import type { Guard, Known } from '#site/hooks/guards.ts';
import type { Attempt, Check } from '#site/identity/checks.ts';
import type { Clients } from '#site/identity/clients.ts';
import type { ModuleSettings, Settings } from '../../settings/types.ts';

export const tweaksErrors = {
  httpsRequired: defineError(
    403,
    'secsuite_https_required',
    'This site requires HTTPS. Send the request again with HTTPS.',
  ),
  emailWanted: defineError(403, 'secsuite.core-tweaks.email-wanted', 'Sign in with your email address.'),
  usernameWanted: defineError(403, 'secsuite.core-tweaks.username-wanted', 'Sign in with your user name.'),
  restApiAccessRestricted: defineError(
    'denied',
    'secsuite_rest_api_access_restricted',
    'Sign in with an account that can edit this to see it.',
  ),
};

/** HTTPS for everything: requests that reached the proxy over plain HTTP are redirected. */
interface HttpsDeps {
  /** The address of the site. */
  readonly url: string;
  readonly clients: Pick<Clients, 'hasNamedProxies' | 'isTrusted'>;
  isOn(): boolean;
}

function secured({ url, clients, isOn }: HttpsDeps): Guard {
  const isSecure = url.startsWith('https:');
  return {
    whenFailing: 'open',
    isNeeded: () => isSecure && isOn(),
    onConnect(incoming) {
      if (!isPlain(incoming, clients)) return undefined;
      return { problem: tweaksErrors.httpsRequired(), to: `${url}${incoming.url}` };
    },
  };
}

/** Only the proxy knows; a program on this machine that asks directly is let pass. */
function isPlain({ headers, peer }: IncomingRequest, { hasNamedProxies, isTrusted }: HttpsDeps['clients']): boolean {
  const said = [headers['x-forwarded-proto']].flat().join(',').split(',', 1)[0]!.trim().toLowerCase();
  return said === 'http' && (!hasNamedProxies || isTrusted(peer));
}

// What is set of the interface and the accounts.

const id = 'core-tweaks';

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
  const now = () => (settings.isReady && isRunning(id) ? settings.of(id) : undefined);
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

type Kind = ModuleSettings[typeof id]['valid_user_login_type'];

/** Programs have passwords of their own, and names that were set up with them. */
const checkingLogins = (kind: () => Kind): Check => ({
  attempt(attempt) {
    const wanted = kind();
    if (wanted === 'both' || attempt.by !== 'password' || isOf(wanted, attempt)) return;
    throw tweaksErrors[`${wanted}Wanted`]();
  },
});

/** By how it is written: whether there is such a user is told to nobody. A name that is written as an address is a name for its user. */
function isOf(kind: Exclude<Kind, 'both'>, { login, user }: Attempt): boolean {
  const [typed, isAddress] = [login.toLowerCase(), login.includes('@')];
  if (kind === 'email') return isAddress && (user === undefined || user.email.toLowerCase() === typed);
  return !isAddress || user?.login.toLowerCase() === typed;
}

interface RestrictionDeps {
  readonly kinds: Kinds;
  isRestricted(): boolean;
}

const root = '/core/v2/';
const reads = new Set(['GET', 'HEAD']);

function restricting({ kinds, isRestricted }: RestrictionDeps): Guard {
  const refused = (_incoming: unknown, known: Known): Refusal | undefined => {
    if (!isRestricted()) return undefined;
    const wanted = capabilityFor(known.asked, kinds);
    return wanted === undefined || known.can(wanted) ? undefined : { problem: tweaksErrors.restApiAccessRestricted() };
  };
  return {
    whenFailing: 'closed',
    isNeeded: isRestricted,
    mayServeCached: ({ url }) => !mayShowRecords(url),
    onCaller: refused,
    // What is closed is not read by way of a search either.
    onEmbed: refused,
  };
}

/** What whoever reads this needs; nothing where it stays open. */
function capabilityFor(asked: Known['asked'], kinds: Kinds): string | undefined {
  if (asked?.route === undefined || !asked.route.startsWith(root) || !reads.has(asked.method)) return undefined;
  const [base = '', rest] = asked.route.slice(root.length).split(/\/(.*)/s);
  if (base === 'users') return isOfUsers(rest) ? 'list_users' : undefined;
  return fixed[base] ?? [...kinds.types, ...kinds.taxonomies].find((kind) => kind.base === base)?.capabilities.edit;
}

/** Not of whoever asks; and what lies below a user is shown to nobody else anyway. */
const isOfUsers = (rest: string | undefined): boolean =>
  rest === undefined || (rest.startsWith('(?P<') && !rest.includes('/'));

const fixed: Readonly<Record<string, string>> = {
  comments: 'moderate_comments',
  types: 'edit_posts',
  statuses: 'edit_posts',
};

/**
 * Of the interface, or linked by an answer, however it is spelt. One too many costs a moment, one too few would show what is closed.
 */
function mayShowRecords(url: string): boolean {
  try {
    return /\/(core|wp)\/v2|rest_route|_embed/i.test(decodeURIComponent(url));
  } catch {
    return true;
  }
}
