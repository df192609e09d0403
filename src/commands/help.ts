import { described, envOf, flagOf, type Name } from '../config/settings.ts';
import type { Command } from './command.ts';

const plain = (text: string): string => text.replaceAll('`', '');

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

const exitCodes = 'Exit code 0 when all went well, 1 when it failed, 2 when the command line or a setting is wrong.';

export function overview(commands: readonly { name: string; summary: string }[], version: string): string {
  return [
    `Gatehouse ${version}: a self-hosted content site with its REST interface.`,
    '',
    'usage: gatehouse COMMAND [FLAGS]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'gatehouse COMMAND --help says what a command takes; gatehouse --version says which version this is.',
    exitCodes,
  ].join('\n');
}

function settingRow(name: Name): readonly [string, string] {
  const { value, meaning, shown, default: standard } = described(name);
  const usual = shown ?? standard ?? 'none';
  return [`--${flagOf(name)} ${value}`, `${plain(meaning)} (${envOf(name)}; default: ${usual})`];
}

export function helpOf(command: Command): string {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { value, meaning }]) => [`--${name}${value ? ` ${value}` : ''}`, meaning] as const,
  );
  const rows = [...own, ...command.settings.map(settingRow), ['--help', 'Print this'] as const];
  return [`usage: gatehouse ${command.name} [FLAGS]`, '', command.about, '', ...columns(rows), '', exitCodes].join(
    '\n',
  );
}
