import { Unavailable } from '#lib/failures.ts';

/** The store cannot be opened. The message is one sentence for the person at the command line: what is wrong, and the way out. */
export class StoreProblem extends Error {
  readonly fault: string;
  readonly remedy: string;

  constructor(fault: string, remedy: string, options: { cause?: unknown } = {}) {
    super(`${fault}; ${remedy}.`, { cause: options.cause });
    this.name = 'StoreProblem';
    this.fault = fault;
    this.remedy = remedy;
  }
}

const DUPLICATE_KEYS = new Set<unknown>([1555, 2067]); // SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
const MISSING_PARENT = 787; // SQLITE_CONSTRAINT_FOREIGNKEY

const field = (error: unknown, name: 'code' | 'errcode'): unknown =>
  error instanceof Error ? (error as Error & Record<typeof name, unknown>)[name] : undefined;

/** Was a write refused because a key that must be unique is taken? The same question on both engines. */
export const isDuplicate = (error: unknown): boolean =>
  DUPLICATE_KEYS.has(field(error, 'errcode')) || field(error, 'code') === '23505';

/** Was a write refused because what it points at does not exist, or because something still points at it? */
export const isDangling = (error: unknown): boolean =>
  field(error, 'errcode') === MISSING_PARENT || field(error, 'code') === '23503';

export const stopping = (): Unavailable => new Unavailable('The site is stopping, so nothing was saved.');

/** Rows that are put back do not fit together. */
export const pointsAtNothing = (table: string, cause?: unknown): StoreProblem =>
  new StoreProblem(`A row of ${table} refers to a row that does not exist`, 'so nothing was changed', { cause });
