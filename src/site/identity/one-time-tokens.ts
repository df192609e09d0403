// One-time tokens: links and cookies of a user that do one thing, once, within a time. The store keeps a hash that only the site's key
// can make, so a reader of the store cannot use a token.
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { type Keys, keyedHash } from '../platform/keys.ts';
import type { IdentityTables } from './tables.ts';
import { usersLock } from './users/guards.ts';
import { findUser } from './users/rows.ts';

export interface TokenPurpose {
  /** The first word of what is hashed, so that no token serves another purpose. */
  readonly name: string;
  /** How long a token lives, in milliseconds. */
  readonly life: number;
  readonly mostInAnHour: number;
  /** A new token ends those before it. */
  readonly isSingle?: boolean;
}

export interface TokenHolder {
  readonly user: number;
  /** Part of the hash: once it is another, the token does nothing. */
  readonly binding?: string;
}

/** What a token was made with. */
interface FoundToken {
  readonly user: number;
  readonly payload: unknown;
}

export interface OneTimeTokens {
  /** A new token, in the caller's write. Nothing, if the user is gone or had too many of this purpose within an hour. */
  make(holder: TokenHolder, payload?: unknown): Promise<string | undefined>;
  /** What it was made with; nothing, if it is unknown, too old or used. */
  find(token: string, binding?: string): Promise<FoundToken | undefined>;
  /** Uses it up, in the caller's write, which does what it is for. Of two who use it at once, one does. */
  consume(token: string, binding?: string): Promise<FoundToken | undefined>;
}

type Tx = Transaction<IdentityTables>;

/** Links that set a new password. */
export const resetPurpose = 'reset';
/** Sign-ins that wait for a step. */
export const signInPurpose = 'sign-in';
/** Links that sign in without a password. */
export const linkPurpose = 'sign-in-link';

/** A longer token was not made here. */
const maxTokenLength = 320;

interface TokenDeps {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  /** The key of sessions: renewing it ends all tokens as well. */
  readonly keys: Pick<Keys, 'sessions'>;
}

export function createOneTimeTokens({ store, clock, keys }: TokenDeps, purpose: TokenPurpose): OneTimeTokens {
  const { name, life, mostInAnHour, isSingle = false } = purpose;
  const hashOf = (token: string, binding = ''): string =>
    keyedHash(keys.sessions, [name, ...(binding === '' ? [] : [binding]), token].join(' '));
  const ahead = (milliseconds: number) => instant(new Date(clock().getTime() + milliseconds));
  return {
    make: ({ user, binding }, payload) =>
      store.join(async (tx, { lock }) => {
        await lock(usersLock);
        if ((await findUser(tx, user)) === undefined) return undefined; // erased meanwhile
        await lock(`token ${name} ${user}`);
        const theirs = tx.selectFrom('one_time_tokens').where('user_id', '=', user).where('purpose', '=', name);
        const lately = await theirs.select('id').where('created_at', '>', ahead(-hour)).limit(mostInAnHour).execute();
        if (lately.length >= mostInAnHour) return undefined;
        if (isSingle) await endTokens(tx, user, name);
        const token = randomBytes(32).toString('base64url');
        await tx
          .insertInto('one_time_tokens')
          .values({
            purpose: name,
            user_id: user,
            hash: hashOf(token, binding),
            payload: payload === undefined ? null : JSON.stringify(payload),
            created_at: ahead(0),
            until: ahead(life),
            used: 0,
          })
          .execute();
        return token;
      }),
    async find(token, binding) {
      if (token.length > maxTokenLength) return undefined;
      const row = await store.db
        .selectFrom('one_time_tokens')
        .select(['user_id', 'payload'])
        .where('hash', '=', hashOf(token, binding))
        .where('used', '=', 0)
        .where('until', '>', ahead(0))
        .executeTakeFirst();
      return row && found(row);
    },
    async consume(token, binding) {
      if (token.length > maxTokenLength) return undefined;
      const row = await store.join((tx) =>
        tx
          .updateTable('one_time_tokens')
          .set({ used: 1 })
          .where('hash', '=', hashOf(token, binding))
          .where('used', '=', 0)
          .where('until', '>', ahead(0))
          .returning(['user_id', 'payload'])
          .executeTakeFirst(),
      );
      return row && found(row);
    },
  };
}

const found = ({ user_id, payload }: { user_id: number; payload: string | null }): FoundToken => ({
  user: user_id,
  payload: payload === null ? undefined : JSON.parse(payload),
});

/** Ends the tokens of a user that have this purpose. They still count towards the limit of the hour. */
export async function endTokens(tx: Tx, user: number, purpose: string): Promise<void> {
  const open = tx.updateTable('one_time_tokens').set({ used: 1 }).where('user_id', '=', user).where('used', '=', 0);
  await open.where('purpose', '=', purpose).execute();
}

/** Deletes at most so many that are over and no longer count towards a limit, and answers how many. */
export async function sweepTokens(store: Store<IdentityTables>, now: Date, most: number): Promise<number> {
  const over = store.db
    .selectFrom('one_time_tokens')
    .select('id')
    .where('until', '<=', instant(now))
    .where('created_at', '<=', instant(new Date(now.getTime() - hour)))
    .limit(most);
  const ids = (await over.execute()).map(({ id }) => id);
  if (ids.length > 0) await store.write((tx) => tx.deleteFrom('one_time_tokens').where('id', 'in', ids).execute());
  return ids.length;
}
