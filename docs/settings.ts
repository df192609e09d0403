// The page of settings, read off the code like --help.
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

export const settingsPage = (): string =>
  [
    '# Settings of the program',
    '',
    'This page is for operators. It lists every setting with its flag, its variable and its default.',
    '`npm run docs` writes it from the code. Settings of the site, such as its title, are changed with',
    '`gatehouse settings` while the site serves.',
    '',
    '- A flag beats the variable, the variable beats the deployment file (under `server`), and the file beats the default.',
    '- A wrong value stops the start with a message that names it.',
    '- Secrets are variables only, because every user of a machine can read its command lines.',
    '- `gatehouse serve` names variables that begin with `GATEHOUSE_` and are not settings.',
    '- Give `--data` as an absolute path once the site is more than a trial: the default is `data` in the folder where',
    '  you type the command.',
    '',
    '| Flag | Variable | In the file | Default | Meaning |',
    '|---|---|---|---|---|',
    ...names.map(row),
    '',
  ].join('\n');
