import { described, envOf, flagOf, keyOf, names } from '../src/config.ts';

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function row(name: string): string {
  const { confidential, file, shown, default: standard, meaning } = described(name);
  const cells = [
    confidential ? '' : code(`--${flagOf(name)}`),
    code(envOf(name)),
    file ? code(keyOf(name)) : '',
    shown ?? code(standard ?? ''),
    meaning.replaceAll('|', '\\|'),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The table of settings as README shows it. */
export const settingsTable = (): string =>
  ['| Flag | Variable | In the file | Default | Meaning |', '|---|---|---|---|---|', ...names.map(row)].join('\n');
