import type { Name } from '../config/settings.ts';
import type { Environment, Flags } from '../config.ts';

/** A flag of one command, beside the settings it takes. */
export interface Option {
  readonly meaning: string;
  /** The value's name in --help; without it the flag is a switch. */
  readonly value?: string;
}

export interface Ask {
  /** Settings given as flags. */
  readonly flags: Flags;
  /** The command's own flags that were given; a switch is the empty text. */
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly env: Environment;
  /** A line for the person or the script that reads the answer. */
  out(line: string): void;
  /** A line beside the answer: progress, warnings, refusals. */
  note(line: string): void;
}

export interface Command {
  readonly name: string;
  /** What it does, for --help: sentences. */
  readonly about: string;
  readonly settings: readonly Name[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Answers the exit code: 0 fine, 1 failed. */
  run(ask: Ask): Promise<number>;
}

/** The command line itself is wrong. Exit code 2. */
export class WrongUse extends Error {}

/** It could not be done; the message is one sentence that says why and what helps. Exit code 1. */
export class Failed extends Error {}

export const json: Option = { meaning: 'Print JSON, for a script' };
