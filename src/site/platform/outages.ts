// While something the site depends on is away, every request finds out, and so do the jobs and the store itself. The log is told
// once, and once more when it is over.
import type { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Log } from '#store/engine.ts';
import type { Clock } from './clock.ts';

export interface Outages {
  /** A request could not be answered for want of something that is away or full. */
  refused(error: Unavailable | OutOfSpace, request: string): void;
  /** The same was found by whoever works behind the requests. */
  away(error: Unavailable | OutOfSpace): void;
  close(): void;
}

interface OutagesOptions {
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock: Clock;
  /** Throws while the store is away. */
  ping(): Promise<void>;
  /** Has `look` called again and again; answers how to stop. */
  repeat(look: () => Promise<void>): () => void;
}

interface Outage {
  readonly since: Date;
  /** What was told already. */
  readonly told: Set<string>;
  until: Date;
  /** Requests. */
  refused: number;
  /** How often anybody found that it goes on. */
  found: number;
  /** At the last look. */
  seen: number;
  stop(): void;
}

// Reasons are few; a message that is never the same must not fill the memory, nor the log.
const mostReasons = 10;

export const everyFiveSeconds: OutagesOptions['repeat'] = (look) => {
  const timer = setInterval(() => void look(), 5000);
  timer.unref();
  return () => clearInterval(timer);
};

export function createOutages({ log, clock, ping, repeat }: OutagesOptions): Outages {
  let current: Outage | undefined;

  /** Over when nobody found it since the last look and the store answers. */
  async function look(outage: Outage): Promise<void> {
    const { refused, found, seen, since, until } = outage;
    outage.seen = found;
    if (found > seen) return;
    try {
      await ping();
    } catch {
      return;
    }
    if (current !== outage || outage.found > found) return;
    outage.stop();
    current = undefined;
    const seconds = Math.round((until.getTime() - since.getTime()) / 1000);
    log.info(
      { refused, seconds },
      'The database and storage work again. Requests are answered and background jobs run.',
    );
  }

  function begin(): Outage {
    const since = clock();
    const outage: Outage = { since, until: since, told: new Set(), refused: 0, found: 0, seen: 0, stop: () => {} };
    outage.stop = repeat(() => look(outage));
    return outage;
  }

  function found({ message }: Error, details: object): Outage {
    const outage = current ?? begin();
    current = outage;
    outage.found += 1;
    outage.until = clock();
    if (outage.told.has(message) || outage.told.size >= mostReasons) return outage;
    outage.told.add(message);
    log.warn(details, message);
    return outage;
  }

  return {
    refused(error, request) {
      found(error, { request }).refused += 1;
    },
    away: (error) => void found(error, {}),
    close: () => current?.stop(),
  };
}
