// Who there is and who asks, put together.
import type { Caller } from '#kernel/caller.ts';
import type { Request } from '#kernel/request.ts';
import { isLoopback } from '#lib/ip-address.ts';
import type { AnyStore } from '#store/store.ts';
import type { Mail } from '../email/mail.ts';
import type { AboutNow, Premises } from '../platform/about.ts';
import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events.ts';
import type { Keys } from '../platform/keys.ts';
import {
  type ApplicationPasswords,
  createApplicationPasswords,
} from './application-passwords/application-passwords.ts';
import { type Checks, createChecks } from './checks.ts';
import { createDoing, type DoingFor } from './doing.ts';
import { createIdentify } from './identify.ts';
import { createOneTimeTokens, type OneTimeTokens, type TokenPurpose } from './one-time-tokens.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { createResets, type Resets } from './passwords/resets.ts';
import { createPasswordRule, type PasswordRule } from './passwords/rule.ts';
import { createRights, type Rights } from './rights.ts';
import type { Roles } from './roles.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import { createUsers, type Users } from './users/users.ts';

export interface Identity {
  readonly roles: Roles;
  readonly rights: Rights;
  readonly doing: DoingFor;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly passwordRule: PasswordRule;
  readonly applicationPasswords: ApplicationPasswords;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly resets: Resets;
  /** Tokens of one purpose. */
  oneTimeTokens(purpose: TokenPurpose): OneTimeTokens;
  /** Who is asked besides. */
  readonly checks: Checks;
  identify(request: Request): Promise<Caller>;
}

interface IdentityOptions {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly roles: Roles;
  readonly events: Events;
  readonly mail: Mail;
  readonly site: Premises;
  readonly about: AboutNow;
  readonly allowInsecureCredentials: boolean;
  readonly ignoreForeign: boolean;
  /** How long refusals of sign-ins take at least, in milliseconds. */
  readonly refusalTakes: number;
}

const defaultRole = 'subscriber';

export function createIdentity(options: IdentityOptions): Identity {
  const { roles, site, about, allowInsecureCredentials, ignoreForeign, refusalTakes, ...base } = options;
  const passwords = createPasswords();
  const checks = createChecks();
  const available = takesApplicationPasswords({ ...site, allowInsecureCredentials });
  const passwordRule = createPasswordRule(roles);
  const users = createUsers({ ...base, roles, passwords, passwordRule, checks, defaultRole, about });
  const applicationPasswords = createApplicationPasswords({ ...base, available });
  const sessions = createSessions(base);
  const signIn = createSignIn({ ...base, users, sessions, passwords, checks, refusalTakes });
  const resets = createResets({ ...base, users, about, refusalTakes });
  const identify = createIdentify({ ...base, users, roles, applicationPasswords, sessions, checks, ignoreForeign });
  return {
    roles,
    rights: createRights(roles),
    doing: createDoing(roles, checks),
    users,
    passwords,
    passwordRule,
    applicationPasswords,
    sessions,
    signIn,
    resets,
    oneTimeTokens: (purpose) => createOneTimeTokens(base, purpose),
    checks,
    identify,
  };
}

/** Whether a site takes application passwords at all. */
export const takesApplicationPasswords = ({ url, allowInsecureCredentials }: Reached): boolean =>
  allowInsecureCredentials || isSecure(url);

interface Reached {
  readonly url: string;
  readonly allowInsecureCredentials: boolean;
}

/** Nobody listens in on HTTPS, nor between a machine and itself. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}
