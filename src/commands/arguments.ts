import { parseArgs } from 'node:util';
import { type Command, WrongUse } from '#cli/command.ts';
import type { Environment } from '#config/setting.ts';
import { suggestion } from '../config/nearest.ts';
import { flagNames, flagOf } from '../config.ts';

interface Parsed {
  readonly flags: Record<string, string>;
  readonly options: Record<string, string>;
  readonly words: Record<string, string>;
  readonly lists: Record<string, string[]>;
  readonly help: boolean;
}

interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly rawName?: string;
  readonly value?: string | undefined;
  /** Whether it stands behind a `=`. */
  readonly inlineValue?: boolean | undefined;
}

function tokensOf(args: readonly string[], taking: readonly string[], switches: readonly string[]): readonly Token[] {
  const declared = [
    ...taking.map((name) => [name, { type: 'string' as const }] as const),
    ...switches.map((name) => [name, { type: 'boolean' as const }] as const),
    ['help', { type: 'boolean' as const, short: 'h' }] as const,
  ];
  const options = { args: [...args], options: Object.fromEntries(declared), strict: false, tokens: true } as const;
  return parseArgs(options).tokens as readonly Token[];
}

/** Settings that a command takes as flags. */
export function settingsOf({ settings = flagNames }: Pick<Command, 'settings'>): readonly string[] {
  return 'allBut' in settings ? flagNames.filter((name) => !settings.allBut.includes(name)) : settings;
}

/** What a command takes: names that carry a value, and switches. */
export function flagsOf({ options = {}, ...command }: Command): {
  settings: string[];
  taking: string[];
  switches: string[];
} {
  const flags = settingsOf(command).map(flagOf);
  const own = Object.keys(options);
  return {
    settings: flags,
    taking: [...flags, ...own.filter((name) => options[name]?.value)],
    switches: [...own.filter((name) => !options[name]?.value), 'help'],
  };
}

/** Reads what stands after the command's name. A flag nobody declared is refused, with the one probably meant. */
export function parse(args: readonly string[], command: Command): Parsed {
  const { settings, taking, switches } = flagsOf(command);
  const parsed: Parsed = { flags: {}, options: {}, words: {}, lists: {}, help: false };
  const loose: string[] = [];
  for (const token of tokensOf(args, taking, switches)) {
    const { kind, name = '', rawName, value = '' } = token;
    if (kind === 'positional') loose.push(value);
    if (kind !== 'option') continue;
    refuseWrong(token, command, taking, switches);
    if (name in parsed.lists && !command.options?.[name]?.many) throw new WrongUse(`${rawName} was given twice.`);
    (settings.includes(name) ? parsed.flags : parsed.options)[name] = value;
    parsed.lists[name] = [...(parsed.lists[name] ?? []), value];
  }
  const { help, ...options } = parsed.options;
  if (help !== undefined) return { ...parsed, options, help: true };
  takeWords(loose, command, parsed);
  refuseMissing(command, options);
  return { ...parsed, options };
}

function takeWords(loose: readonly string[], command: Command, { words, lists }: Parsed): void {
  const left = [...loose];
  for (const { name, many, optional, empty } of command.words ?? []) {
    const taken = left.splice(0, many ? left.length : 1);
    if (taken.includes('') && !empty) throw new WrongUse(`${name} must not be empty.`);
    if (taken.length === 0 && !optional) throw new WrongUse(`gatehouse ${command.name} needs ${name};${more(command)}`);
    if (taken.length > 0) Object.assign(words, { [name]: taken[0] });
    if (taken.length > 0) Object.assign(lists, { [name]: taken });
  }
  if (left.length > 0) throw new WrongUse(`gatehouse ${command.name} takes no "${left[0]}";${more(command)}`);
}

function refuseMissing(command: Command, options: Record<string, string>): void {
  const missing = Object.entries(command.options ?? {}).find(([name, { required }]) => required && !(name in options));
  if (missing === undefined) return;
  const [name, { value }] = missing;
  throw new WrongUse(`gatehouse ${command.name} needs --${name} ${value};${more(command)}`);
}

const more = ({ name }: Command): string => ` see gatehouse ${name} --help.`;

/** npm keeps a flag for itself unless `--` stands before it: it is only seen in the variables that npm sets. */
export function refuseSwallowed(command: Command, env: Environment): void {
  if (env.npm_lifecycle_event !== 'start') return;
  const given = settingsOf(command)
    .map(flagOf)
    .find((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  if (given === undefined) return;
  throw new WrongUse(`npm did not pass on --${given}; write "npm start -- --${given} …", with -- before the flags.`);
}

function refuseWrong(
  { name = '', rawName = '', value, inlineValue }: Token,
  command: Command,
  taking: string[],
  switches: string[],
) {
  if (taking.includes(name)) {
    if (!value || (value.startsWith('--') && !inlineValue)) throw new WrongUse(`${rawName} needs a value.`);
    return;
  }
  if (!switches.includes(name)) throw new WrongUse(unknownFlag(rawName, command, [...taking, ...switches]));
  if (value !== undefined) throw new WrongUse(`${rawName} takes no value.`);
}

function unknownFlag(given: string, command: Command, known: readonly string[]): string {
  const meant = suggestion(
    given,
    known.map((name) => `--${name}`),
  );
  const asWord = `To give it as ${command.words?.at(-1)?.name}, write "--" before the words.`;
  const instead = command.words?.length ? asWord : `See gatehouse ${command.name} --help.`;
  return `gatehouse ${command.name} has no flag ${given}.${meant || ` ${instead}`}`;
}
