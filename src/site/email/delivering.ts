// One letter on its way out, and what the log learns of it: never whom it is for or what it says.
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Lru } from '#lib/lru.ts';
import { minute } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { Lane } from '../jobs/job.ts';
import type { Clock } from '../platform/clock.ts';
import type { Letter } from './letter.ts';

/** How letters leave the site. */
export interface Carrier {
  /**
   * Resolves once the letter is out of our hands. A `Hopeless` says that it would be refused again, anything else that a later try
   * may succeed; either says why in one sentence that names nobody.
   */
  carry(letter: Letter, signal: AbortSignal): Promise<void>;
  /** Removes what it kept for too long. Answers how much. */
  tidy(now: Date): Promise<number>;
  /** Lets go of what it holds open. */
  close(): void;
}

/** Of letters that wait because no letter at all could leave. */
export const blockedCode = 'mail_blocked';

/** No letter leaves now, whichever it is. As soon as one did, those that waited for it follow. */
export class Blocked extends Unavailable {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { cause, code: blockedCode });
  }
}

/** Nothing changes until the operator changes something. */
export class NeedsMending extends Blocked {}

export type Deliver = (letter: Letter, signal: AbortSignal) => Promise<void>;

/** How many letters are under way at once in one process. */
export const mailLane: Lane = { name: 'mail', atOnce: 4 };

const mostRemembered = 10_000;

export function createDelivery(carrier: Carrier, log: Log, clock: Clock): Deliver {
  const tell = telling(log, clock);
  // What was taken is not handed over again because the note of it in the queue got lost.
  const taken = new Lru<string, true>(mostRemembered);
  return async (letter, signal) => {
    if (taken.get(letter.id)) return;
    try {
      await carrier.carry(letter, signal);
    } catch (error) {
      if (!signal.aborted) tell(error, letter);
      throw error;
    }
    taken.set(letter.id, true);
  };
}

/** A server that is away is told once in a minute, however many letters wait for it. */
function telling(log: Log, clock: Clock): (error: unknown, letter: Letter) => void {
  let last = { text: '', at: 0 };
  return (error, { id }) => {
    if (!(error instanceof Unavailable || error instanceof OutOfSpace)) return; // given up, which the queue tells
    const now = clock().getTime();
    if (error.message === last.text && now - last.at < minute) return;
    last = { text: error.message, at: now };
    log[error instanceof NeedsMending ? 'error' : 'warn']({ message: id }, `${error.message} Messages wait.`);
  };
}
