// On whose behalf something is written. Between the question whether somebody may and the write that does it lie other people's
// requests, and seconds of hashing: so the write asks once more, with its lock held, who they are by now and what they may.
import type { Transaction } from 'kysely';
import type { Asker } from '#kernel/schema.ts';
import type { Checks } from './checks.ts';
import type { Credential } from './credential.ts';
import { identityErrors } from './errors.ts';
import type { Roles } from './roles.ts';
import type { IdentityTables } from './tables.ts';
import { findUser } from './users/rows.ts';
import { nobodys, type User } from './users/user.ts';

type Writing = Transaction<IdentityTables>;

export interface Doing<T = User, W extends Writing = Writing> {
  /** Who answers for it: the number of a user, or `nobodys`. */
  readonly by?: number;
  /** Throws what refuses. `target` is what it is done to, as it is now; nothing yet where one is made. */
  again?(tx: W, target: T | undefined): Promise<void>;
}

/** What it looks at besides `target` it reads by `tx`: others see it only once the write before is kept. */
export type Judge<T = User, W extends Writing = Writing> = (
  asker: Asker,
  target: T | undefined,
  tx: W,
) => void | Promise<void>;

/** For who came with this credential. What it asks again is refused also where the credential has ended meanwhile. */
export type DoingFor = <T = User, W extends Writing = Writing>(
  credential: Credential | undefined,
  judge: Judge<T, W>,
) => Required<Doing<T, W>>;

export const createDoing =
  (roles: Roles, checks: Pick<Checks, 'withholds'>): DoingFor =>
  (credential, judge) => ({
    by: answering(credential),
    async again(tx, target) {
      const user = credential && (await holderNow(tx, credential));
      if (user === undefined) throw identityErrors.notLoggedIn().saying('You are no longer signed in. Sign in again.');
      const held = roles.capabilitiesOf(user.roles);
      const can = (capability: string): boolean => held.has(capability) && !checks.withholds(credential!, capability);
      await judge({ id: user.id, can }, target, tx);
    },
  });

/** Whoever made a credential for somebody else answers for what is done with it. */
function answering(credential: Credential | undefined): number {
  if (credential === undefined) return nobodys;
  const own = credential.user.id;
  return credential.kind !== 'application_password' || credential.madeBy === nobodys ? own : credential.madeBy;
}

/** A session goes on by another cookie once the password was changed: then the old one is nobody's. */
async function holderNow(tx: Writing, credential: Credential): Promise<User | undefined> {
  if (credential.kind === 'token') return findUser(tx, credential.user.id);
  const row =
    credential.kind === 'session'
      ? tx
          .selectFrom('sessions')
          .select('user_id')
          .where('id', '=', credential.session.id)
          .where('hash', '=', credential.session.hash)
      : tx.selectFrom('application_passwords').select('user_id').where('id', '=', credential.id);
  const [there, user] = await Promise.all([row.executeTakeFirst(), findUser(tx, credential.user.id)]);
  return there && user;
}
