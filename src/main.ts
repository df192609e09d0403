// The command line as a process. Nothing imports this file.
import { constants, setPriority } from 'node:os';
import { cli } from './commands/cli.ts';
import { createProgressReporter } from './commands/progress/reporter.ts';

/** A reader that has seen enough (`gatehouse routes | head`) is no fault. */
function unread(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
}

process.stdout.on('error', unread);
process.stderr.on('error', () => {});

/** Once everything written before is read, or nobody reads it any more. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

/** Within this time, in milliseconds, a second signal is the same Ctrl-C: a parent such as npm passes it on as well. */
const sameCtrlC = 500;

/** The first Ctrl-C or SIGTERM aborts; the next one ends the process at once. */
function signalOfProcess(): AbortSignal {
  const stopping = new AbortController();
  let first: number | undefined;
  const stop = (name: string): void => {
    first ??= performance.now();
    if (performance.now() - first > sameCtrlC) process.exit(1);
    stopping.abort(new DOMException(name, 'AbortError'));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return stopping.signal;
}

let signal: AbortSignal | undefined;

const code = await cli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  get signal() {
    signal ??= signalOfProcess();
    return signal;
  },
  progress: createProgressReporter(process.stderr),
  process: {
    ignoreClosedOutput: () => void process.stdout.off('error', unread).on('error', () => {}),
    onFault(listener) {
      process.on('uncaughtException', (error) => {
        listener(error, 'uncaught');
        process.exit(1);
      });
      process.on('unhandledRejection', (error) => listener(error, 'rejection'));
    },
    lowerPriority() {
      try {
        setPriority(constants.priority.PRIORITY_LOW);
      } catch {
        // It runs beside the others then.
      }
    },
  },
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Whatever an extension of a package left running keeps no command from ending.
process.exit(code);
