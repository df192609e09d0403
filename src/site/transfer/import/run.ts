// One move from another site: who brings what, and what is known by now of what became of it.

import type { Content } from '../../content/content.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ArrivingOptions } from './arriving.ts';
import type { LeasedStore } from './import-lease.ts';
import type { Known } from './known.ts';
import type { Report } from './report.ts';

export interface ArrivingNeeds {
  /** By `withImportLease`, so that nobody else moves in meanwhile. */
  readonly store: LeasedStore;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'roles'>;
  readonly content: Pick<Content, 'kinds' | 'metaKeys' | 'media' | 'permalinks' | 'writing' | 'zone'>;
  /** The public address of this site, without a slash at its end. */
  readonly url: string;
}

export interface Run {
  readonly needs: ArrivingNeeds;
  readonly options: ArrivingOptions;
  readonly report: Report;
  readonly known: Known;
}

/** How long a write of many may take until it is undone, in ms. */
export const bounds = { limit: 120_000, patience: 60_000 };

/** So many at a time. */
export function* inLots<T>(all: readonly T[], most: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += most) yield all.slice(at, at + most);
}
