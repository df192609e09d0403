// Proof that a request comes from a page of ours. Nothing is kept of them: each can be worked out again from the session.
import { createHmac } from 'node:crypto';
import { hour } from '#lib/spans.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keys } from '../../platform/keys.ts';
import type { Holder } from '../application-passwords/holder.ts';
import { isSame } from '../keyed-hash.ts';
import type { User } from '../users/user.ts';

/** What the token of a page is good for that asks the interface. */
export const restPurpose = 'rest';

/** What the token in the link of a preview opens. */
export const previewPurpose = (post: number): string => `preview ${post}`;

interface Bearer {
  readonly id: number;
  readonly user: User;
}

export interface Tokens {
  /** Of a page that this session opened; for one purpose, 12 to 24 hours. */
  token(session: Bearer, purpose: string): string;
  isToken(session: Bearer, purpose: string, token: unknown): boolean;
  /** For a link that is opened without a session: good for one purpose, for one hour, on behalf of this application password. */
  linkToken(password: Pick<Holder, 'id'>, purpose: string): string;
  /** The number of that application password, which may be revoked by now; nothing for a token that is wrong or has expired. */
  linkPassword(purpose: string, token: unknown): number | undefined;
}

const tick = 12 * hour;
const linkLasts = hour;
const length = 24;
const linkForm = /^(\d{1,15})\.(\d{1,15})\.[\w-]{24}$/;

export function createTokens({ clock, keys }: { readonly clock: Clock; readonly keys: Keys }): Tokens {
  const ticks = (): number => Math.floor(clock().getTime() / tick);
  const signature = (text: string): string =>
    createHmac('sha256', keys.sessions).update(text).digest('base64url').slice(0, length);
  const tokenAt = (at: number, { id, user }: Bearer, purpose: string): string =>
    signature(`token ${at} ${id} ${user.id} ${purpose}`);
  const linkTokenUntil = (until: number, password: number, purpose: string): string =>
    `${until}.${password}.${signature(`link ${until} ${password} ${purpose}`)}`;
  return {
    token: (session, purpose) => tokenAt(ticks(), session, purpose),
    isToken(session, purpose, token) {
      if (typeof token !== 'string') return false;
      const now = ticks();
      return [now, now - 1].some((at) => isSame(token, tokenAt(at, session, purpose)));
    },
    linkToken: ({ id }, purpose) => linkTokenUntil(clock().getTime() + linkLasts, id, purpose),
    linkPassword(purpose, token) {
      if (typeof token !== 'string') return undefined;
      const [, until = 0, password = 0] = linkForm.exec(token)?.map(Number) ?? [];
      const isGood = isSame(token, linkTokenUntil(until, password, purpose)) && until > clock().getTime();
      return isGood ? password : undefined;
    },
  };
}
