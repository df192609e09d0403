import type { Command, Family, Option, Word } from '#cli/command.ts';
import { aligned } from '#cli/table.ts';
import { described, envOf, flagNames, flagOf } from '../config.ts';
import { settingsOf } from './arguments.ts';

export const plain = (text: string): string => text.replaceAll('`', '');

/** Fits into the window of a terminal beside another one. */
const helpWidth = 100;

/** The words in lines of at most this length; a longer word has a line of its own. */
function linesOf(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Paragraphs in lines of one length. Indented lines, such as lists and examples, stay as they are. */
const wrapped = (text: string): string =>
  text.replace(/^\S.*(?:\n\S.*)*/gm, (paragraph) => linesOf(paragraph, helpWidth).join('\n'));

/** Rows of a name and its meaning, which goes on in lines of its own below itself. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const room = helpWidth - 4 - Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, meaning]) =>
    linesOf(meaning, room).map((line, at) => [at === 0 ? name : '', line]),
  );
  return aligned(lines).map((line) => `  ${line}`);
}

const exitCodes = 'Exit codes: 0 after success, 1 after a failure, 2 if an argument or a setting is wrong.';

type Summary = { readonly name: string; readonly summary: string };

const listed = (commands: readonly Summary[]): string[] =>
  columns(commands.map(({ name, summary }) => [name, summary] as const));

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
    wrapped(about),
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
  return [`usage: ${usage}`, '', wrapped(command.about), '', ...columns(rows), '', ...rest, exitCodes].join('\n');
}
