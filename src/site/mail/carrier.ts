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

/** Tried again like anything that is away, but nothing changes until the operator changes something. */
export class NeedsMending extends Unavailable {}
