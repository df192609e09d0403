// One setting, and how it is said.
export interface Setting<T> {
  parse: (text: string) => T;
  default?: string;
  /** What --help and README say when the default is not one fixed text. */
  shown?: string;
  /** The value's name in --help. */
  value: string;
  meaning: string;
  /** Kept off the command line (which every user of the machine can read) and out of every message. */
  confidential?: true;
  /** May stand under "server" in the deployment file. */
  file?: true;
}

export const setting = <T>(declared: Setting<T>): Setting<T> => declared;
