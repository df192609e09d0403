// How hard a password is to guess, from 0 to 4, and why it is not harder.
import { kernelErrors } from '#kernel/errors.ts';
import { scriptAt } from '#lib/scripts.ts';
import { minute, second } from '#lib/spans.ts';
import { createThread } from '#site/platform/threads/thread.ts';

export interface Question {
  readonly password: string;
  /** What is easy to guess of this person. */
  readonly words: readonly string[];
}

export interface Measured {
  readonly score: 0 | 1 | 2 | 3 | 4;
  /** What is wrong with it, and what would help, as names: `advice` makes sentences of them. */
  readonly weakness: string | undefined;
  readonly hints: readonly string[];
}

export interface Strength {
  /** `who`: those who ask much wait for each other. */
  of(question: Question, who: string): Promise<Measured>;
  end(): Promise<void>;
}

/** Only the strongest will do. */
export const strongest = 4;

/**
 * The time it takes grows with the square of the length: a fifth of a second for so many signs, more than one for 256. What is hard to
 * guess by its beginning is no easier as a whole.
 */
const mostSigns = 64;

export function createStrength(): Strength {
  const thread = createThread<Question, Measured>({
    file: scriptAt(new URL('./strength-thread.ts', import.meta.url)),
    waiting: 100,
    patience: 10 * second,
    idle: 5 * minute,
    full: () => kernelErrors.tooBusy('Many users are choosing passwords at the moment.'),
  });
  return {
    of: ({ password, words }, who) => thread.ask({ password: password.slice(0, mostSigns), words }, who),
    end: () => thread.end(),
  };
}
