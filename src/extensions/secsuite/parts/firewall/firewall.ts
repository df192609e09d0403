// The firewall, put together: its rules, those that run now, and who holds requests against them.

import type { Guard } from '#site/hooks/guards.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import type { Logs } from '../../logs/logs.ts';
import { createAskedOf } from './asked.ts';
import { workOfThread } from './engine/engine.ts';
import type { Pass } from './engine/run.ts';
import { createFirewallGuard } from './guard.ts';
import { createRefusals } from './refusals.ts';
import { createRules, type Rules } from './rules.ts';
import { createRunning, type Running } from './running.ts';
import { createTelling } from './telling.ts';

export interface Firewall {
  readonly rules: Rules;
  readonly running: Running;
  readonly guard: Guard;
}

interface Needs {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly logs: Pick<Logs, 'write'>;
  readonly response: Pick<LockResponse, 'refusal'>;
  /** Where the site is reached. */
  readonly url: string;
  readonly stopping: AbortSignal;
  /** What this thread has worked so far, in milliseconds. */
  readonly worked?: () => number;
  /** Whether rules are run just now. */
  isOn(): boolean;
  isTrusted(address: string, pass: Pass): boolean;
  strike(address: string): Promise<unknown>;
  follow(work: () => Promise<void>): void;
  beginningOf(path: string, most: number): Promise<Buffer>;
  failed(error: unknown): void;
}

export function createFirewall(needs: Needs): Firewall {
  const worked = needs.worked ?? workOfThread;
  const running = createRunning({ ...needs, worked });
  const guard = createFirewallGuard({
    ...needs,
    engine: () => (needs.isOn() ? running.now : undefined),
    askedOf: createAskedOf(needs.url, needs.clock),
    refusals: createRefusals(needs),
    telling: createTelling(needs.logs),
  });
  return { rules: createRules({ ...needs, follow: running.follow }), running, guard };
}
