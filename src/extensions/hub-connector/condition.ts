// Whether the site is well, as the hub is told.

import { inTime } from '#lib/concurrency.ts';
import { second } from '#lib/spans.ts';
import { statusOf } from '#site/health/check.ts';
import { freeBytes } from '#site/health/folders.ts';
import type { Health } from '#site/health/health.ts';
import { markOf } from '#site/health/marks.ts';
import type { AnyStore } from '#store/store.ts';

export interface Looked {
  readonly health: Pick<Health, 'checks' | 'look'>;
  readonly store: Pick<AnyStore, 'db' | 'release'>;
  /** The folder that holds the data of the site. */
  readonly data: string;
}

type Status = ReturnType<typeof statusOf>;

export interface Condition {
  readonly status: Status;
  readonly checks: { readonly passed: number; readonly recommended: number; readonly critical: number };
  readonly runtime_version: string;
  readonly database: string;
  readonly last_backup: string | null;
}

/** What this extension says of itself; said of the hub to the hub, it would be news each time. */
export const ownCheck = 'hub-connector';

/** These look at the request by which somebody asks, and nobody asks here. */
const unasked = new Set(['authorization-header', 'proxy-header', ownCheck]);

const patience = 5 * second;

export async function conditionOf({ health, store }: Looked): Promise<Condition> {
  const names = health.checks.filter(({ name, asks }) => !asks && !unasked.has(name)).map(({ name }) => name);
  const statuses = await Promise.all(names.map((name) => looked(health, name)));
  const many = (status: Status): number => statuses.filter((one) => one === status).length;
  const checks = { passed: many('good'), recommended: many('recommended'), critical: many('critical') };
  const backup = await markOf(store, 'backup');
  return {
    status: checks.critical > 0 ? 'critical' : checks.recommended > 0 ? 'recommended' : 'good',
    checks,
    runtime_version: process.version,
    database: await store.release(),
    last_backup: backup === undefined ? null : moment(backup),
  };
}

/** One that takes too long, or breaks, is not well, and keeps nobody from telling of the others. */
async function looked(health: Looked['health'], name: string): Promise<Status> {
  try {
    const look = health.look(name, { headers: {}, address: '' });
    const found = await inTime(look, patience, () => new Error('It took too long to look.'));
    return found === undefined ? 'good' : statusOf(found.seen);
  } catch {
    return 'critical';
  }
}

/** On the disk of the data; 0, where nobody can tell. */
export const roomOf = ({ data }: Pick<Looked, 'data'>): Promise<number> => freeBytes(data).catch(() => 0);

/** As moments are written here. */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
