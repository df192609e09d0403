// Work in the background that fails: it is written down in the log of the suite, where managers see it.
import { Problem } from '#kernel/problem.ts';
import type { OwnKind } from '#site/extension.ts';
import type { Event } from './entry.ts';
import type { Logs } from './logs.ts';

interface Use {
  readonly logs: Pick<Logs, 'write'>;
}

/** A refusal is one of the things that may come of the work; anything else is not. */
export const failureOf = (name: string, error: unknown): Event => ({
  module: 'scheduler',
  code: `unhandled-exception::${name}`,
  type: error instanceof Problem ? 'error' : 'fatal',
  data: { error: error instanceof Error ? error.message : String(error) },
});

/** The same kind of job, with its failures in the log of the suite. A run that is stopped with the program continues later, so it is no failure. */
export const withFailureLog = <P, Own>(
  kind: OwnKind<P, Own>,
  nameOf = (_payload: P): string => kind.name.replace(/^security-suite\./, ''),
): OwnKind<P, Own & Use> => ({
  ...kind,
  async run(payload, work, use) {
    try {
      return await kind.run(payload, work, use);
    } catch (error) {
      if (!work.signal.aborted) use.logs.write(failureOf(nameOf(payload), error));
      throw error;
    }
  },
});
