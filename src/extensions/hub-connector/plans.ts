// When the hub is told without anybody asking.
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { AnyStore } from '#store/store.ts';
import type { Accounts } from './settings.ts';
import { knownOf } from './state.ts';
import { type Sync, together } from './sync.ts';

export interface Plans {
  /** Within half an hour: of many sites with one clock, not all at the same moment. */
  soon(): Promise<void>;
  /** As soon as somebody is free. */
  now(): Promise<void>;
  /** Now, where this hub was never asked with this key. */
  first(): Promise<void>;
  /** Does what was planned. */
  done(signal: AbortSignal): Promise<Record<string, unknown>>;
}

interface Needs {
  readonly store: Pick<AnyStore, 'db'>;
  readonly clock: Clock;
  /** From 0 up to this, by chance. */
  readonly chance: (below: number) => number;
  readonly accounts: Accounts;
  readonly queue: Pick<Queue<null>, 'add'>;
  readonly sync: Sync;
}

const jitter = 30 * minute;

/** Of the schedule that every site with this extension has. */
export const firstName = 'hub-connector.first';

export function createPlans({ store, clock, chance, accounts, queue, sync }: Needs): Plans {
  const now = async (): Promise<void> => {
    if ((await accounts.find()) !== undefined) await queue.add(null, { alone: together });
  };
  return {
    now,
    async soon() {
      if ((await accounts.find()) === undefined) return;
      const at = new Date(clock().getTime() + chance(jitter));
      await queue.add(null, { key: 'soon', alone: together, at });
    },
    async first() {
      const account = await accounts.find();
      if (account === undefined || (await knownOf(store.db, account.target)).tried_at !== null) return;
      await queue.add(null, { key: 'first', alone: together });
    },
    // Somebody may have left the hub since it was planned.
    done: async (signal) => ({ ...(await sync({ force: false, signal }, undefined).catch(unlessLeft)) }),
  };
}

const left: readonly string[] = ['not_logged_in', 'hub_not_configured'];

const unlessLeft = (error: unknown): undefined => {
  if (!(error instanceof Problem) || !left.includes(error.code)) throw error;
};
