// A site that tells this hub how it is.
import type { Selectable } from 'kysely';
import { hour } from '#lib/spans.ts';
import { type Condition, conditions, type Inventory } from './inventory.ts';
import type { SitesTable } from './tables.ts';

/** `paused`: its owner wants nothing kept of it for now. */
export const memberships = ['full', 'paused'] as const;
export type Membership = (typeof memberships)[number];

export interface Site {
  readonly id: number;
  readonly name: string;
  readonly address: string | null;
  readonly membership: Membership;
  readonly created_at: string;
  readonly synced_at: string | null;
  readonly version: string | null;
  readonly health: Condition | null;
  readonly inventory: Inventory | null;
  /** Whether it should have told something by now. */
  readonly is_silent: boolean;
}

/** Sites tell something twice a day: this is three times in a row. */
export const patience = 36 * hour;

/** Before this moment it is silent that told something last. */
export const silentBefore = (now: Date): string => new Date(now.getTime() - patience).toISOString();

export function siteOf(row: Selectable<SitesTable>, now: Date): Site {
  const { id, name, address, created_at, synced_at, version } = row;
  const membership = row.membership === 'paused' ? 'paused' : 'full';
  return {
    id,
    name,
    address,
    membership,
    created_at,
    synced_at,
    version,
    health: conditions.find((one) => one === row.health) ?? null,
    inventory: row.inventory === null ? null : (JSON.parse(row.inventory) as Inventory),
    is_silent: membership === 'full' && (synced_at ?? created_at) < silentBefore(now),
  };
}
