import { Unavailable } from '#lib/failures.ts';
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
