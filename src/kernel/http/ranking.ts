// How urgent a request is, before anything of it is checked. A credential that somebody presents may be made up, so only one that was
// good lately makes its request go first.
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookieOf } from '#lib/http-headers.ts';
import { Lru } from '#lib/lru.ts';
import { minute } from '#lib/spans.ts';
import type { Rank } from './lane.ts';
import type { PageAt } from './page.ts';

/** Credentials that are remembered, and for how long, in milliseconds. */
const mostKnown = 5_000;
const remembered = 30 * minute;

export interface Ranking {
  /** `vital`: it never waits. */
  of(message: IncomingMessage, isPage: boolean): Rank | 'vital';
  /** What came with this request was good. */
  wasGood(message: IncomingMessage): void;
}

interface RankingNeeds {
  readonly credentialCookie: string;
  /** Those of the site itself and of its extensions. */
  readonly pageAt: PageAt;
  /** In milliseconds since 1970. */
  now(): number;
}

export function createRanking({ credentialCookie, pageAt, now }: RankingNeeds): Ranking {
  const known = new Lru<string, number>(mostKnown);
  const key = randomBytes(16).toString('base64url');
  const presentedBy = ({ headers }: IncomingMessage): string | undefined => {
    const presented = headers.authorization ?? cookieOf(headers.cookie, credentialCookie);
    return presented === undefined ? undefined : hash('sha256', key + presented, 'base64url');
  };
  return {
    of(message, isPage) {
      const page = isPage ? pageAt(message.url ?? '/') : undefined;
      if (page?.isVital) return 'vital';
      const presented = presentedBy(message);
      if (presented !== undefined && (known.get(presented) ?? 0) > now()) return 'known';
      return presented !== undefined || page !== undefined ? 'entering' : 'visitor';
    },
    wasGood(message) {
      const presented = presentedBy(message);
      if (presented !== undefined) known.set(presented, now() + remembered);
    },
  };
}
