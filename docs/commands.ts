// The page of commands, read off the code like --help.
import type { Command, Family, ListedCommand, Option, Word } from '#cli/command.ts';

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const wordShown = ({ name, optional, many }: Word): string => {
  const shown = many ? `${name}…` : name;
  return optional ? `[${shown}]` : shown;
};

const flagShown = (name: string, { value }: Option): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

const usageOf = ({ name, words = [], options = {} }: Command): string => {
  const required = Object.entries(options).filter(([, option]) => option.required);
  return ['gatehouse', name, ...words.map(wordShown), ...required.map((entry) => flagShown(...entry))].join(' ');
};

/** Words and flags of the command itself: it also takes settings, which have a page of their own. */
function argumentsOf({ words = [], options = {} }: Command): string[] {
  const rows = [
    ...words.map((word) => [wordShown(word), word.meaning] as const),
    ...Object.entries(options).map(([name, option]) => [flagShown(name, option), option.meaning] as const),
  ];
  if (rows.length === 0) return [];
  return [
    '',
    '| Argument | Meaning |',
    '|---|---|',
    ...rows.map(([name, about]) => `| ${code(name)} | ${cell(about)} |`),
  ];
}

const section = (depth: string, command: Command): string[] => [
  `${depth} ${code(usageOf(command))}`,
  '',
  command.about,
  ...argumentsOf(command),
  '',
];

const isFamily = (command: Command | Family): command is Family => 'members' in command;

const sections = (command: Command | Family): string[] =>
  isFamily(command)
    ? [
        `## ${code(`gatehouse ${command.name}`)}`,
        '',
        command.about,
        '',
        ...command.members.flatMap((member) => section('###', member.command)),
      ]
    : section('##', command);

export async function commandsPage(listed: readonly ListedCommand[]): Promise<string> {
  const loaded = await Promise.all(listed.map(async (one) => ({ ...one, command: (await one.load()).command })));
  const overview = loaded.map(({ name, summary, command }) => {
    const members = isFamily(command) ? `: ${command.members.map((member) => code(member.name)).join(', ')}` : '';
    return `| ${code(`gatehouse ${name}`)} | ${cell(summary)}${members} |`;
  });
  return [
    '# Commands',
    '',
    'This page is for operators. It lists every command with its own arguments, as `--help` does.',
    '`npm run docs` writes it from the code.',
    '',
    '- Without `npm link`, type `bin/gatehouse` in the folder of Gatehouse instead of `gatehouse`.',
    '- Every command that works on the data of a site also takes the [settings](settings.md) of `gatehouse serve`,',
    '  for example `--data` and `--port`.',
    '- Commands that list or show something print JSON with `--json`.',
    '- No command takes a password as a flag. It asks for the password, or reads it from standard input.',
    '- The exit code is 0 after success, 1 after a failure, and 2 when an argument or a setting is wrong.',
    '  With 2, the site is unchanged.',
    '',
    '| Command | What it does |',
    '|---|---|',
    ...overview,
    '',
    ...loaded.flatMap(({ command }) => sections(command)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
