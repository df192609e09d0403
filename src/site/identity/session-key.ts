// The key that session tokens are hashed with. Renewing it signs everybody out.
import { randomBytes } from 'node:crypto';
import type { Store } from '#store/store.ts';
import { type Keys, type KeysTables, storedKeys, wrap } from '../platform/keys.ts';
import type { IdentityTables } from './tables.ts';

/** Changing the key that sessions are known by, while the site runs. */
export interface SessionKey {
  /** Another key, and nobody is signed in any more: neither a session nor a link that sets a password opens anything. */
  renew(): Promise<void>;
}

type SessionTables = KeysTables & Pick<IdentityTables, 'sessions' | 'one_time_tokens'>;

/** `keys` follows, in this process at once and in the others as soon as they hear of it. */
export function createSessionKey(store: Store<SessionTables>, secret: string, keys: Keys): SessionKey {
  const follow = (sessions: Buffer | undefined): void => {
    if (sessions !== undefined) Object.assign(keys, { sessions });
  };
  store.changes.watch((written) => {
    if (!written.has('keys')) return;
    // A secret that was changed meanwhile opens none: then the one there is serves until the site is started again.
    storedKeys(store as Store<KeysTables>, secret).then(
      ({ sessions }) => follow(sessions),
      () => {},
    );
  });
  return {
    async renew() {
      const key = randomBytes(32);
      await store.write(async (tx) => {
        const wrapped = wrap('sessions', key, secret);
        await tx.updateTable('keys').set({ wrapped }).where('name', '=', 'sessions').execute();
        await tx.deleteFrom('sessions').execute();
        await tx.deleteFrom('one_time_tokens').execute();
      });
      follow(key);
    },
  };
}
