// Refuses requests and sign-ins from banned and locked out addresses, counts wrong passwords, and notes the addresses that
// managers use.
// If all visitors share the IP address of a proxy that names none of them, a lockout or ban of that IP address refuses signing in and
// writing only: an attacker must not be able to take the site away from all readers.
// A lockout of an account holds for its password alone: any visitor can bring one about, so it must not cut off application
// passwords and sessions.
import { currentRequest, type IncomingRequest, withRequest } from '#kernel/request.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Attempt, Check, FailedAttempt } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Enforced as EnforcedBans } from '../bans/enforced.ts';
import type { Authorised } from '../client/authorised.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { Enforced } from './enforced.ts';
import type { LockResponse } from './lock-response.ts';
import { isOfAccount, type Lock } from './lockout.ts';
import type { Strike } from './striking.ts';
import { failureEntry, loginCode } from './told.ts';

interface GuardDeps {
  readonly bans: Pick<EnforcedBans, 'over' | 'size'>;
  readonly enforced: Pick<Enforced, 'host' | 'size'>;
  readonly authorised: Pick<Authorised, 'lets' | 'visited'>;
  readonly response: Pick<LockResponse, 'refusal'>;
  /** Whether it was chosen how the client's address is found. */
  isConfigured(): boolean;
  /** Whether addresses can be banned just now. */
  isBanning(): boolean;
  /** Whether all visitors share this IP address. */
  isShared(address: string): boolean;
  isManager(user: User): boolean;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The interface takes the method from `_method` and a header as well. */
function isReading({ method, url, headers }: IncomingRequest): boolean {
  if (!readingMethods.has(method) || headers['x-http-method-override'] !== undefined) return false;
  try {
    return !decodeURIComponent(url).includes('_method');
  } catch {
    return false;
  }
}

export function createLockGuards(needs: GuardDeps): Guard[] {
  const { enforced, authorised, response, isConfigured, isShared, isManager } = needs;
  const { bans } = needs;
  const lockOn = (address: string): Lock | undefined => {
    if (isBanned(address, needs)) return { kind: 'ban' };
    return enforced.size > 0 && enforced.host(address) ? { kind: 'host' } : undefined;
  };
  const locks: Guard = {
    whenFailing: 'closed',
    isNeeded: () => bans.size > 0 || enforced.size > 0,
    onConnect(incoming) {
      const lock = lockOn(incoming.address);
      if (lock === undefined || !isConfigured()) return undefined;
      if (withRequest(incoming, () => authorised.lets(incoming.address))) return undefined;
      const { endsSession, ...refusal } = response.refusal(lock);
      if (!isShared(incoming.address)) return { ...refusal, ...(endsSession && { endsSession }) };
      return isReading(incoming) ? undefined : refusal;
    },
  };
  const visits: Guard = {
    whenFailing: 'open',
    onCaller(incoming, { user }) {
      if (user === undefined || !isConfigured() || !isManager(user)) return undefined;
      return authorised.visited(incoming.address)?.then(() => undefined);
    },
  };
  return [locks, visits];
}

const isBanned = (address: string, { bans, isBanning }: Pick<GuardDeps, 'bans' | 'isBanning'>): boolean =>
  bans.size > 0 && bans.over(address) !== undefined && isBanning();

interface CheckDeps extends Pick<GuardDeps, 'bans' | 'isBanning' | 'isShared'> {
  readonly settings: Pick<Settings, 'of'>;
  readonly enforced: Pick<Enforced, 'size' | 'host' | 'user' | 'username' | 'isSpared'>;
  readonly response: Pick<LockResponse, 'refused'>;
  readonly logs: Pick<Logs, 'write'>;
  isRunning(module: string): boolean;
  isConfigured(): boolean;
  /** Whether the address is always let in. */
  lets(address: string): boolean;
  /** What somebody is kept out by from now on, after another wrong password. */
  strike(strike: Strike): Promise<Lock | undefined>;
  /** Ends the session that a request came with. */
  endSession(incoming: IncomingRequest): Promise<void>;
}

/** The name that is tried first wherever nobody knows another. */
const temptation = 'admin';

export function createLockCheck(needs: CheckDeps): Pick<Check, 'attempt' | 'failed'> {
  const { settings, logs, isRunning, strike } = needs;
  const refuse = createRefusing(needs);
  const lockOn = createLockOn(needs);
  return {
    attempt(attempt) {
      const lock = lockOn(attempt);
      return lock && refuse(lock, attempt);
    },
    async failed(attempt) {
      if (!isRunning('brute-force')) return;
      const { login, user, from } = attempt;
      const { auto_ban_admin: isTrap } = settings.of('brute-force');
      const isTrapped = isTrap && login === temptation;
      const before = isTrapped ? undefined : lockOn(attempt);
      if (before !== undefined) return refuse(before, attempt);
      logs.write(failureEntry(attempt, isTrapped ? 'auto-ban-admin-username' : loginCode(user?.id, login)));
      const type = isTrapped ? 'brute_force_admin_user' : 'brute_force';
      const lock = await strike({ type, address: from, ...accountOf(attempt, needs) });
      if (lock !== undefined) await refuse(lock, attempt);
    },
  };
}

/**
 * The account is not counted where its owner came by a link: others have locked it. Passkeys and emailed links cannot be
 * guessed, so failures with them count for the IP address alone.
 */
function accountOf(
  { login, user, from, by }: FailedAttempt,
  { enforced }: CheckDeps,
): Pick<Strike, 'user' | 'username'> {
  // A lockout of unknown names alone would tell which names are known.
  if (by === 'magic') return {};
  if (by === 'webauthn') return user === undefined && login !== '' ? { username: login } : {};
  if (user === undefined) return { username: login };
  return enforced.isSpared(user.id, from) ? {} : { user };
}

function createLockOn(needs: CheckDeps) {
  const { enforced, bans, isShared, isConfigured, lets } = needs;
  const ofAddress = ({ from, isRight }: Attempt): Lock | undefined => {
    if (!isShared(from)) return enforced.host(from) ? { kind: 'host' } : undefined;
    // The guard lets reading requests from here through, and a right credential says more than an IP address that all visitors share.
    if (isRight) return undefined;
    if (isBanned(from, needs)) return { kind: 'ban' };
    return enforced.host(from) ? { kind: 'host' } : undefined;
  };
  const ofAccount = ({ login, user, from, isRight }: Attempt): Lock | undefined => {
    if (isRight) return undefined;
    if (user === undefined) return login !== '' && enforced.username(login) ? { kind: 'username' } : undefined;
    return enforced.user(user.id) && !enforced.isSpared(user.id, from) ? { kind: 'user', user: user.id } : undefined;
  };
  return (attempt: Attempt): Lock | undefined => {
    if (enforced.size === 0 && bans.size === 0) return undefined;
    const lock = ofAddress(attempt) ?? ofAccount(attempt);
    return lock === undefined || !isConfigured() || lets(attempt.from) ? undefined : lock;
  };
}

function createRefusing({ response, isRunning, isShared, endSession }: CheckDeps) {
  return async (lock: Lock, { login, by, from }: Attempt): Promise<never> => {
    const incoming = currentRequest();
    if (incoming !== undefined && !isOfAccount(lock) && !isShared(from)) await endSession(incoming);
    const mayUnlock = lock.kind === 'user' && by === 'password' && isRunning('magic-links');
    throw response.refused(lock, mayUnlock ? login : undefined);
  };
}
