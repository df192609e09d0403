// One setting of the operator, and the settings that an extension brings.
import type { Operator } from '#lib/operator.ts';

export interface Setting<T> {
  /** `cwd`: relative paths start from this folder. */
  parse: (text: string, cwd: string) => T;
  default?: string;
  /** What --help and docs/settings.md show when the default is not one fixed text. */
  shown?: string;
  /** The value's name in --help. */
  value: string;
  meaning: string;
  /** Kept off the command line (which every user of the machine can read) and out of every message. */
  confidential?: true;
  /** May stand under "server" in the deployment file. */
  file?: true;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type Environment = Readonly<Record<string, string | undefined>>;
/** Defaults of one command, by setting. */
export type Usual = Readonly<Record<string, string>>;

/** What each setting holds once it is read; one without a default may be absent. */
export type SettingValues<S extends Settings> = {
  readonly [N in keyof S]: ReturnType<S[N]['parse']> | (S[N] extends { default: string } ? never : undefined);
};

/** Settings by name. The name is also the flag, the variable and the key of the deployment file. */
export const settingsTable = <const S extends Settings>(table: S): S => table;

/** Another kind of site than a content site. */
interface SeparateKind {
  /** `hub`. */
  readonly kind: string;
  /** The command that serves it, and its defaults. */
  readonly command: string;
  readonly usual: Usual;
}

/** What a configuration may say about one extension. It is read for every command, so it imports nothing that is slow to load. */
export interface OperatorSettings {
  /** The slug by which a deployment file turns the extension on. */
  readonly name: string;
  /** Namespaces that a deployment file puts in order. */
  readonly namespaces: readonly string[];
  /** The extension has a deployment of its own: content sites do not list it. */
  readonly separate?: SeparateKind;
  /** What shows that a database was served with it: its schedule, or rows of a table, which a backup brings too. */
  readonly served?: { readonly schedule: string; readonly table?: string };
  readonly settings: Settings;
  /** Puts the values where the extension reads them: it adds its members to `Operator`. */
  toOperator(values: SettingValues<Settings>): Partial<Operator>;
  /** Ids of its modules that a deployment file may turn on and off. */
  readonly modules?: readonly string[];
}

interface TypedSettings<S extends Settings> extends OperatorSettings {
  readonly settings: S;
  toOperator(values: SettingValues<S>): Partial<Operator>;
}

/** Checks that `toOperator` takes exactly what the settings hold. */
export const operatorSettings = <const S extends Settings>(declared: TypedSettings<S>): OperatorSettings => declared;
