// Who is locked out does not come in with the right password either, and wrong ones are counted. A lockout of an account holds for its
// password alone: anybody can bring one about, so it must not cut off application passwords and sessions.
import { type Knock, knocking } from '#kernel/knock.ts';
import type { Attempt, Check, FailedAttempt } from '#site/identity/checks.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { Enforced } from './enforced.ts';
import type { LockResponse } from './lock-response.ts';
import { isOfAccount, type Lock } from './lockout.ts';
import type { Strike } from './striking.ts';
import { failureEntry, loginCode } from './told.ts';

interface Needs {
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
  endSession(knock: Knock): Promise<void>;
}

/** The name that is tried first wherever nobody knows another. */
const temptation = 'admin';

export function createLockCheck(needs: Needs): Pick<Check, 'attempt' | 'failed'> {
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
      const { auto_ban_admin: isTrap } = settings.of<{ auto_ban_admin: boolean }>('brute-force');
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

/** The account is not counted where its owner came by a link: others have locked it. */
const accountOf = ({ login, user, from }: FailedAttempt, { enforced }: Needs): Pick<Strike, 'user' | 'username'> =>
  user === undefined ? { username: login } : enforced.isSpared(user.id, from) ? {} : { user };

function createLockOn({ enforced, isConfigured, lets }: Needs) {
  const found = ({ login, user, from, isRight }: Attempt): Lock | undefined => {
    if (enforced.host(from)) return { kind: 'host' };
    if (isRight) return undefined;
    if (user === undefined) return login !== '' && enforced.username(login) ? { kind: 'username' } : undefined;
    return enforced.user(user.id) && !enforced.isSpared(user.id, from) ? { kind: 'user', user: user.id } : undefined;
  };
  return (attempt: Attempt): Lock | undefined => {
    if (enforced.size === 0) return undefined;
    const lock = found(attempt);
    return lock === undefined || !isConfigured() || lets(attempt.from) ? undefined : lock;
  };
}

function createRefusing({ response, isRunning, endSession }: Needs) {
  return async (lock: Lock, { login, by }: Attempt): Promise<never> => {
    const knock = knocking();
    if (knock !== undefined && !isOfAccount(lock)) await endSession(knock);
    const mayUnlock = lock.kind === 'user' && by === 'password' && isRunning('magic-links');
    throw response.refused(lock, mayUnlock ? login : undefined);
  };
}
