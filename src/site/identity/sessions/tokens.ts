// Proof that a request comes from a page of ours. Nothing is kept of them: each can be worked out again from the session.
import { createHmac } from 'node:crypto';
import { hour } from '#lib/spans.ts';
import type { Clock } from '../../clock.ts';
import type { Keys } from '../../keys.ts';
import { isSame } from '../keyed-hash.ts';
import type { User } from '../users/user.ts';

/** What the token of a page is good for that asks the interface. */
export const restPurpose = 'rest';

interface Bearer {
  readonly id: number;
  readonly user: User;
}

export interface Tokens {
  /** Of a page that this session opened; for one purpose, 12 to 24 hours. */
  token(session: Bearer, purpose: string): string;
  isToken(session: Bearer, purpose: string, token: unknown): boolean;
}

const tick = 12 * hour;
const length = 24;

export function createTokens({ clock, keys }: { readonly clock: Clock; readonly keys: Keys }): Tokens {
  const ticks = (): number => Math.floor(clock().getTime() / tick);
  const tokenAt = (at: number, { id, user }: Bearer, purpose: string): string =>
    createHmac('sha256', keys.sessions)
      .update(`token ${at} ${id} ${user.id} ${purpose}`)
      .digest('base64url')
      .slice(0, length);
  return {
    token: (session, purpose) => tokenAt(ticks(), session, purpose),
    isToken(session, purpose, token) {
      if (typeof token !== 'string') return false;
      const now = ticks();
      return [now, now - 1].some((at) => isSame(token, tokenAt(at, session, purpose)));
    },
  };
}
