import type { Command, Family, Option, Word } from '#cli/command.ts';
import { aligned } from '#cli/table.ts';
import { described, envOf, flagNames, flagOf } from '../config.ts';
import { settingsOf } from './arguments.ts';

export const plain = (text: string): string => text.replaceAll('`', '');

const columns = (rows: readonly (readonly string[])[]): string[] => aligned(rows).map((line) => `  ${line}`);

const exitCodes = 'Exit codes: 0 after success, 1 after a failure, 2 if an argument or a setting is wrong.';

type Summary = { readonly name: string; readonly summary: string };

const listed = (commands: readonly Summary[]): string[] =>
  columns(commands.map(({ name, summary }) => [name, summary]));

export function overview(commands: readonly Summary[], version: string): string {
  return [
    `Gatehouse ${version}: a self-hosted content site with a REST API.`,
    '',
    'usage: gatehouse COMMAND [FLAGS]',
    '',
    ...listed(commands),
    '',
    'gatehouse COMMAND --help shows the arguments of a command; gatehouse --version shows the version.',
    exitCodes,
  ].join('\n');
}

export function familyHelp({ name, about, members }: Family): string {
  return [
    `usage: gatehouse ${name} COMMAND [FLAGS]`,
    '',
    about,
    '',
    ...listed(members),
    '',
    `gatehouse ${name} COMMAND --help shows the arguments of a command.`,
    exitCodes,
  ].join('\n');
}

function settingRow(name: string, own: string | undefined): readonly [string, string] {
  const { value, meaning, shown, default: standard } = described(name);
  const usual = own ?? shown ?? standard ?? 'none';
  return [`--${flagOf(name)} ${value}`, `${plain(meaning)} (${envOf(name)}; default: ${plain(usual)})`];
}

function wordShown({ name, optional, many }: Word): string {
  const shown = many ? `${name}…` : name;
  return optional ? `[${shown}]` : shown;
}

/** A command that works on a site takes all that "serve" does, and says only what is asked for most. */
const shownOf = ({ name }: Command, settings: readonly string[]): readonly string[] =>
  /(?:^| )serve$/.test(name) || settings.length < flagNames.length
    ? settings
    : ['data', 'database', 'deployment', 'media', 'url'];

const flagShown = ([name, { value }]: [string, Option]): string => `--${name}${value ? ` ${value}` : ''}`;

export function helpOf(command: Command): string {
  const { words = [], options = {}, usual = {} } = command;
  const settings = settingsOf(command);
  const shown = shownOf(command, settings);
  const own = Object.entries(options);
  const needed = own.filter(([, { required }]) => required).map(flagShown);
  const usage = ['gatehouse', command.name, ...words.map(wordShown), ...needed, '[FLAGS]'].join(' ');
  const rows = [
    ...words.map(({ name, meaning }) => [name, meaning] as const),
    ...own.map((option) => [flagShown(option), option[1].meaning] as const),
    ...shown.map((name) => settingRow(name, usual[name])),
    ['--help', 'Print this'] as const,
  ];
  const rest = shown.length < settings.length ? ['All other flags of "gatehouse serve" work here too.'] : [];
  return [`usage: ${usage}`, '', command.about, '', ...columns(rows), '', ...rest, exitCodes].join('\n');
}
