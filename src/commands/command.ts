import type { Environment, Flags, Usual } from '../config.ts';

/** A flag of one command, beside the settings it takes. */
export interface Option {
  readonly meaning: string;
  /** The value's name in --help; without it the flag is a switch. */
  readonly value?: string;
  readonly required?: true;
  /** May be given several times. */
  readonly many?: true;
}

/** A word that stands by itself after the command's name. */
export interface Word {
  readonly name: string;
  readonly meaning: string;
  readonly optional?: true;
  /** The empty text is a value as well. */
  readonly empty?: true;
  /** Takes all that follow; the last of the words. */
  readonly many?: true;
}

/** What a person at a terminal, or a script through standard input, gives while a command runs. */
export interface Input {
  /** Whether somebody can be asked. */
  readonly hasTerminal: boolean;
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askHidden(question: string): Promise<string>;
  /** The first line of standard input. */
  line(): Promise<string>;
}

export interface Ask {
  /** Settings given as flags. */
  readonly flags: Flags;
  /** The command's own flags that were given; a switch is the empty text. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Its words that were given, by name. */
  readonly words: Readonly<Record<string, string | undefined>>;
  /** All values of each flag and word that was given, in their order. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  readonly env: Environment;
  /** As the command declares it. */
  readonly usual?: Usual;
  readonly input: Input;
  /** A line for the person or the script that reads the answer. */
  out(line: string): void;
  /** A line beside the answer: progress, warnings, refusals. */
  note(line: string): void;
}

export interface Command {
  /** As it is called: `serve`, `user create`. */
  readonly name: string;
  /** What it does, for --help: sentences. */
  readonly about: string;
  readonly settings: readonly string[];
  /** What these are for it where nobody says otherwise. */
  readonly usual?: Usual;
  readonly words?: readonly Word[];
  readonly options?: Readonly<Record<string, Option>>;
  /** It goes on though nobody reads any more what it says. */
  readonly stays?: true;
  /** Answers the exit code: 0 fine, 1 failed. */
  run(ask: Ask): Promise<number>;
}

/** Commands about one thing, each called by the name of both: `user create`. */
export interface Family {
  readonly name: string;
  readonly about: string;
  readonly members: readonly { readonly name: string; readonly summary: string; readonly command: Command }[];
}

/** The command line itself is wrong. Exit code 2. */
export class WrongUse extends Error {}

/** It could not be done; the message is one sentence that says why and what helps. Exit code 1. */
export class Failed extends Error {}

export const json: Option = { meaning: 'Print JSON, for a script' };

/** A word or flag that the command line cannot do without. */
export function given(values: Ask['words'], name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The command declares no ${name} that must be given.`);
  return value;
}
