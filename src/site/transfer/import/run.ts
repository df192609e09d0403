// One move from another site: who brings what, and what is known by now of what became of it.

import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Content } from '../../content/content.ts';
import type { Identity } from '../../identity/identity.ts';
import { Upstream } from '../../outgoing/outgoing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ArrivingOptions } from './arriving.ts';
import type { LeasedStore } from './import-lease.ts';
import type { Known } from './known.ts';
import type { Fault, Report } from './report.ts';

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

/** What keeps something from arriving is told, and the rest goes on; unless the store itself is at its end. */
interface Placed {
  readonly line?: number;
  readonly id?: number;
}

/** Throws what no other piece would come through either. */
export function faultOf(error: unknown, { line, id }: Placed, title: string): Fault {
  if (error instanceof Unavailable || error instanceof OutOfSpace) throw error;
  const place = {
    ...(line !== undefined && { line }),
    ...(id !== undefined && { id }),
    title,
  };
  if (error instanceof Problem) return { ...place, code: error.code, message: error.message };
  if (error instanceof Upstream) return { ...place, code: 'not_fetched', message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { ...place, code: 'failed', message: `It could not be saved: ${reason}` };
}
