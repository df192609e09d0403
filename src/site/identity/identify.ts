// Who asks: an application password, or a session with its token. The one place where the site judges credentials.

import { isUtf8 } from 'node:buffer';
import { parseQuery } from '#kernel/args/query.ts';
import { type Caller, nobody } from '#kernel/caller.ts';
import type { Request } from '#kernel/request.ts';
import { cookieOf } from '#lib/http-headers.ts';
import type { Events } from '../platform/events.ts';
import type { ApplicationPasswords } from './application-passwords/application-passwords.ts';
import type { Holder } from './application-passwords/uses.ts';
import type { Checks } from './checks.ts';
import { type Credential, sessionCookie } from './credential.ts';
import { identityErrors } from './errors.ts';
import type { Roles } from './roles.ts';
import { restPurpose, type Session, type Sessions } from './sessions/sessions.ts';
import { failureOf, shownLogin } from './shown-login.ts';
import type { User } from './users/user.ts';
import type { Users } from './users/users.ts';
import { keyOf } from './users/words.ts';

interface Needs {
  readonly users: Users;
  readonly roles: Roles;
  readonly applicationPasswords: ApplicationPasswords;
  readonly sessions: Sessions;
  readonly events: Events;
  readonly checks: Checks;
  /** Credentials of nobody here belong to another gate, and count as none. */
  readonly ignoreForeign: boolean;
}

export function createIdentify(needs: Needs): (request: Request) => Promise<Caller> {
  const { sessions } = needs;
  const bySession = callersBySession(needs);
  const byBasic = callersByBasic(needs);
  return async (request) => {
    const cookie = cookieOf(request.headers.cookie, sessionCookie);
    const found = cookie === undefined ? undefined : sessions.find(cookie);
    const session = found instanceof Promise ? await found : found;
    const token = tokenOf(request);
    if (session !== undefined && token === undefined) return nobody;
    if (session !== undefined) return bySession(session, token, request.address);
    const { authorization } = request.headers;
    // A token belongs to a session; a program that brings its own credential beside one means the credential.
    if (authorization !== undefined) return byBasic(authorization, request);
    if (token !== undefined) throw identityErrors.cookieInvalidNonce();
    return nobody;
  };
}

/** As an argument, else as a header. An empty one is one too. */
function tokenOf({ query, headers }: Request): unknown {
  // Any letter may be written as a number: then it takes reading to know.
  const argument = query.includes('wpnonce') || query.includes('%') ? parseQuery(query)._wpnonce : undefined;
  return argument ?? headers['x-wp-nonce'];
}

function callersBySession({ sessions, roles, checks }: Needs) {
  const callers = remembering((session: Session) =>
    callerOf(session.user, { roles, checks }, { kind: 'session', user: session.user, session }),
  );
  return (session: Session, token: unknown, address: string): Caller => {
    if (!sessions.isToken(session, restPurpose, token)) throw identityErrors.cookieInvalidNonce();
    sessions.used(session, address);
    return { ...callers(session), headers: { 'X-WP-Nonce': sessions.token(session, restPurpose) } };
  };
}

function callersByBasic({ users, roles, applicationPasswords, events, checks, ignoreForeign }: Needs) {
  const callers = remembering((holder: Holder) =>
    callerOf(holder.user, { roles, checks }, { kind: 'application_password', ...holder }),
  );

  /** Looks up as much whatever is wrong, so that nobody learns it from the time it takes. */
  const refuse = async ({ login, password }: Basic, from: string): Promise<Caller> => {
    const user = await users.named(login);
    if (ignoreForeign && user === undefined && login !== '') return nobody;
    const reason = applicationPasswords.available ? failureOf(login, user) : 'application_passwords_disabled';
    const attempt = { login: shownLogin(login, user), user, by: 'application_password', from } as const;
    // Nothing was typed: nobody tried anything.
    const isAttempt = login !== '' || password !== '';
    if (isAttempt) await checks.attempt(attempt);
    events.emit('login.failed', { ...attempt, reason });
    if (isAttempt) await checks.failed({ ...attempt, reason });
    if (!applicationPasswords.available) throw identityErrors.incorrectPassword().saying(httpsOnly);
    throw identityErrors.incorrectPassword();
  };

  return async (header: string, request: Request): Promise<Caller> => {
    const { address } = request;
    const basic = readBasic(header);
    if (basic === undefined) throw identityErrors.incorrectPassword().saying(howToSignIn);
    const found = applicationPasswords.holderOf(basic.password);
    const holder = found instanceof Promise ? await found : found;
    const isTheirs = holder !== undefined && names(basic.login, holder.user);
    if (!isTheirs || !applicationPasswords.available) return refuse(basic, address);
    const { user } = holder;
    const checking = checks.attempt({
      login: user.login,
      user,
      by: 'application_password',
      from: address,
      isRight: true,
    });
    if (checking !== undefined) await checking;
    demandWithin(holder, request);
    const noting = applicationPasswords.used(holder, address);
    if (noting !== undefined) await noting;
    return callers(holder);
  };
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses what the limits of an application password do not allow. A request may name its method in three places, and all of them count. */
function demandWithin({ limits }: Holder, { method, query, headers }: Request): void {
  if (!limits.enabled_for.includes('rest-api')) throw identityErrors.invalidApiType();
  if (limits.rest_api_permissions === 'write') return;
  const override = query.includes('method') || query.includes('%') ? parseQuery(query)._method : undefined;
  const said = [method, override, headers['x-http-method-override']];
  const named = said.filter((one) => one !== undefined && one !== '').map((one) => String(one).toUpperCase());
  if (!named.every((one) => reads.has(one))) throw identityErrors.unsupportedHttpMethod();
}

const howToSignIn =
  'The `Authorization` header is not valid. Send `Basic` with a user name and an application password, or use the session of a browser. This site accepts no bearer tokens.';

const httpsOnly =
  'This site accepts no application passwords, because it does not use HTTPS. Ask its operator to set `GATEHOUSE_URL` to an https URL.';

const names = (login: string, user: User): boolean => {
  const key = keyOf(login);
  return key !== '' && (key === keyOf(user.login) || key === keyOf(user.email));
};

const callerOf = (user: User, { roles, checks }: Pick<Needs, 'roles' | 'checks'>, credential: Credential): Caller => {
  const capabilities = roles.capabilitiesOf(user.roles);
  const can = (capability: string): boolean =>
    capabilities.has(capability) && !checks.withholds(credential, capability);
  return { id: user.id, can, credential, roles: user.roles.map(roles.labelOf) };
};

/** Made once for each, and forgotten with it. */
function remembering<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

// The header of Basic credentials, read strictly.

interface Basic {
  readonly login: string;
  readonly password: string;
}

const longest = 4096;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What cannot be read is nobody, and is judged like everybody else. */
const unreadable: Basic = { login: '', password: '' };

/** Nothing when the header is of another kind. */
export function readBasic(header: string): Basic | undefined {
  if (!/^basic(?: |$)/i.test(header)) return undefined;
  const encoded = header.slice('basic'.length).trim();
  if (encoded.length > 2 * longest || !base64.test(encoded)) return unreadable;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > longest || !isUtf8(bytes)) return unreadable;
  const text = bytes.toString();
  const colon = text.indexOf(':');
  const login = text.slice(0, Math.max(colon, 0));
  return /\p{Cc}/u.test(login) ? unreadable : { login, password: text.slice(colon + 1) };
}
