// The command line of the runner.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface RunOptions {
  readonly isFull: boolean;
  /** A failed file is not run again. */
  readonly isOnce: boolean;
  /** Where the report as JUnit XML goes. */
  readonly junit: string | undefined;
  /** Seconds after which a file is ended. */
  readonly limit: number;
  /** Only the test files at these paths and below them; all if there are none. */
  readonly paths: readonly string[];
}

/** Says in one sentence why the run cannot begin, and ends it. */
export function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

/** `called`: the folder in which the command was given. */
export function readArguments(called: string): RunOptions {
  const { values, positionals } = parsed();
  const limit = Number(values.limit);
  if (!(limit > 0 && limit <= 86_400)) refuse(`--limit takes a number of seconds, and not "${values.limit}".`);
  const junit = values.junit === undefined ? undefined : resolve(called, values.junit);
  if (junit !== undefined) beginFile(junit);
  return {
    isFull: values.full,
    isOnce: values.full || values.once,
    junit,
    limit,
    paths: positionals.map((path) => resolve(path)),
  };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        full: { type: 'boolean', default: false },
        once: { type: 'boolean', default: false },
        junit: { type: 'string' },
        limit: { type: 'string', default: '600' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    return refuse(
      `${(error as Error).message.split(/\.\s/)[0]}. The options are --full, --once, --junit FILE and --limit SECONDS.`,
    );
  }
}

/** Before the tests run, so that an hour of them is not lost to a wrong path. */
function beginFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  } catch (error) {
    refuse(`The report cannot be written: ${(error as Error).message}.`);
  }
}
