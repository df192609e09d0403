// What a command reaches of the world around it. `src/main.ts` makes it of the process, tests make it of streams of their own.
import type { ReadStream, WriteStream } from 'node:tty';
import type { Config } from '#config/config.ts';
import type { Environment } from '#config/setting.ts';
import type { Extensions, Trial } from '#site/packages/packages.ts';
import type { ProgressReporter } from './progress.ts';

export type InputStream = Partial<Pick<ReadStream, 'isTTY'>> & NodeJS.ReadableStream;
/** `fd`: the log is written to that file descriptor at once, past the stream. */
export type OutputStream = Partial<Pick<WriteStream, 'isTTY' | 'columns'>> & {
  readonly fd?: number;
} & NodeJS.WritableStream;

/** How an extension is tried before it is turned on, in a site of this configuration. Answers why it cannot be, or nothing. */
export type TrialMaker = (
  config: Config,
) => (one: Parameters<Trial>[0], extensions: Pick<Extensions, 'wanted' | 'unpacked'>) => ReturnType<Trial>;

/** What a command does to the process that runs it. */
export interface ProcessControl {
  /** The command continues even if its standard output is closed. */
  ignoreClosedOutput(): void;
  /** `uncaught` ends the process after the listener was called. */
  onFault(listener: (error: unknown, kind: 'uncaught' | 'rejection') => void): void;
  /** Other processes go first from now on. */
  lowerPriority(): void;
}

export interface Io {
  readonly env: Environment;
  /** Relative paths start from this folder. */
  readonly cwd: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /**
   * Aborted by Ctrl-C or SIGTERM; the message of the reason names the signal. In a process, the first read of this member takes the
   * signals over: a command that never reads it ends at once.
   */
  readonly signal: AbortSignal;
  /** Silent where there is none. */
  readonly progress?: ProgressReporter;
  /** In a process of its own where there is none. */
  readonly trial?: TrialMaker;
  /** Nothing happens to the process where there is none. */
  readonly process?: ProcessControl;
}
