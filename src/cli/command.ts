// What the command line knows of a command, and what a command is given while it runs.
import type { Config } from '#config/config.ts';
import type { Environment, Usual } from '#config/setting.ts';
import type { Extension, Toolkit } from '#site/extension.ts';
import type { SiteServices } from '#site/services.ts';
import type { Io } from './io.ts';
import type { ProgressReporter } from './progress.ts';

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

/** The nouns of an extension. Fails if the extension is turned off. */
export type NounsOf = <Use>(entry: (tools: Toolkit<Use>) => Extension<Use>) => Use;

type SiteWork = (services: SiteServices, config: Config, nounsOf: NounsOf) => Promise<void>;

/** What a command asks of the program. */
interface OfProgram {
  /** The configuration that the flags and the environment make. A `BadSetting` says what is wrong with it. */
  config(): Config;
  /**
   * Works on the data of a site, which may be serving at the same time, and answers the exit code 0. It makes and migrates nothing:
   * a folder without a site is refused, and so is a database of an earlier version.
   */
  inSite(work: SiteWork, how?: { readonly withoutPackages?: true }): Promise<number>;
  /** Whether the data folder or database holds no site, one of an earlier version, or one that this program can work with. */
  standing(): Promise<'empty' | 'older' | 'ready'>;
  /** Does what `gatehouse serve` does. */
  serve(): Promise<number>;
}

export interface Ask extends OfProgram {
  /** The command's own flags that were given; a switch is the empty text. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Its words that were given, by name. */
  readonly words: Readonly<Record<string, string | undefined>>;
  /** All values of each flag and word that was given, in their order. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  readonly io: Io;
  readonly env: Environment;
  readonly input: Input;
  readonly progress: ProgressReporter;
  /** A line for the person or the script that reads the answer. */
  out(line: string): void;
  /** A line beside the answer: progress, warnings, refusals. */
  note(line: string): void;
  /** The absolute path of one that was given: relative to the folder in which the command was typed. */
  path(text: string): string;
}

export interface Command {
  /** As it is called: `serve`, `user create`. */
  readonly name: string;
  /** What it does, for --help: sentences. */
  readonly about: string;
  /** Settings that it takes as flags: these, or all but some. A command that works on a site takes all. */
  readonly settings?: readonly string[] | { readonly allBut: readonly string[] };
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

/** A command or a family as help lists it. It is loaded when it is asked for, so that no command pays for another. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly command: Command | Family }>;
}

/** What `gatehouse doctor` does instead of its checks if this switch is given. */
export interface DoctorAction {
  readonly name: string;
  readonly meaning: string;
  /** A sentence for its help: `With --unlock …`. */
  readonly about: string;
  load(): Promise<{ act(ask: Ask): Promise<number> }>;
}

/** The command line itself is wrong. Exit code 2. */
export class WrongUse extends Error {}

/** It could not be done; the message is one sentence that says why and what helps. Exit code 1. */
export class Failed extends Error {}

export const json: Option = { meaning: 'Print JSON' };

/** A word or flag that the command line cannot do without. */
export function given(values: Ask['words'], name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The command declares no ${name} that must be given.`);
  return value;
}
