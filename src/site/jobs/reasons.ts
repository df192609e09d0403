// Why something was not done, as far as people may read it: what a bug says goes to the log alone.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { printable } from '#lib/printable.ts';
import { Hopeless, type ItemError } from './job.ts';

type Reason = Omit<ItemError, 'item'>;

const longest = 500;
export const unforeseen: Reason = {
  code: 'failed',
  message: 'The job failed with an unexpected error. The log of the site shows the cause.',
};

/** What fails now of this may succeed later, and nobody here is to blame. */
export const isAway = (error: unknown): error is Unavailable | OutOfSpace =>
  error instanceof Unavailable || error instanceof OutOfSpace;

/** Nothing for a bug. */
function foreseen(error: unknown): Reason | undefined {
  if (error instanceof Problem) return { code: error.code, message: error.message };
  if (error instanceof Unavailable) return { code: error.code, message: error.message };
  if (error instanceof OutOfSpace) return { code: 'out_of_space', message: error.message };
  if (error instanceof Hopeless) return { code: 'failed', message: error.message };
  return undefined;
}

/** `report` hears of what nobody foresaw. */
export function reasonOf(error: unknown, report: (error: unknown) => void): Reason {
  const reason = foreseen(error);
  if (reason === undefined) report(error);
  const { code, message } = reason ?? unforeseen;
  return { code, message: shortened(isSentence(message) ? message : unforeseen.message) };
}

/** What is thrown may be made by code that no compiler has seen. */
const isSentence = (message: unknown): boolean => typeof message === 'string' && message.trim() !== '';

/** A name or a sentence as it is kept: bounded, and harmless where it is shown. */
export const shortened = (text: string): string => printable(text.slice(0, longest)).toWellFormed();
