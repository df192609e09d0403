// One request on its way past the rules: what was looked at so far, and what is still to be.
import type { FormFile } from '#kernel/upload.ts';
import type { Known } from '#site/hooks/guards.ts';
import type { Engine } from './engine/engine.ts';
import type { Needs } from './engine/needs.ts';

export interface Passage {
  /** One for the whole way, whatever is changed meanwhile. */
  readonly engine: Engine;
  /** Of a request with a body that comes later. */
  readonly hasBody: boolean;
  readonly isDone: Record<'early' | 'late', boolean>;
  /** A rule of the early pass let it in: nobody looks any more. */
  isAllowed: boolean;
  /** Some value was too long to be looked at as a whole. */
  isTooLong: boolean;
  /** Rules that were told of it. */
  told: ReadonlySet<string>;
  /** Milliseconds of work that are left. */
  left: number;
  form: Readonly<Record<string, unknown>> | undefined;
  bytes: Uint8Array | undefined;
  files: readonly FormFile[] | undefined;
  /** Who asks, and for what, once that is known. */
  known: Known | undefined;
}

/** For each request. */
const budget = 50;

const nothingTold: ReadonlySet<string> = new Set();

/** Written out: it is made for every request. */
export const newPassage = (engine: Engine, hasBody: boolean): Passage => ({
  engine,
  hasBody,
  isDone: { early: engine.sizes.early === 0, late: engine.sizes.late === 0 },
  isAllowed: false,
  isTooLong: false,
  told: nothingTold,
  left: budget,
  form: undefined,
  bytes: undefined,
  files: undefined,
  known: undefined,
});

export const isOver = ({ isDone, isAllowed, isTooLong }: Passage): boolean =>
  isAllowed || (isDone.early && isDone.late && !isTooLong);

/** Whether rules of this pass look at more than the head of a request. */
export const looksAtBody = ({ form, raw, files }: Needs): boolean => form || raw || files;

/** Whether its body is wanted before anybody is known. */
export const wantsBody = (passage: Passage): boolean => {
  const { isDone, isAllowed, hasBody, engine } = passage;
  const { early, late, write } = engine.needs;
  const wants = (done: boolean, needs: Needs): boolean => !done && looksAtBody(needs);
  if (!hasBody || isAllowed) return false;
  return looksAtBody(write) || (!isOver(passage) && (wants(isDone.early, early) || wants(isDone.late, late)));
};

/** What looks at bodies is asked again, once there is more of it. */
export function lookAgain({ engine: { needs }, isDone, isAllowed }: Passage): void {
  if (isAllowed) return;
  for (const pass of ['early', 'late'] as const) if (looksAtBody(needs[pass])) isDone[pass] = false;
}
