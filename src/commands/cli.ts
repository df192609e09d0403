// The command line: which command is asked for, and what a failure of it says.
import { inspect } from 'node:util';
import { type Command, Failed, type Family, type ListedCommand, WrongUse } from '#cli/command.ts';
import type { Io, OutputStream } from '#cli/io.ts';
import { printable } from '#lib/printable.ts';
import { suggestion } from '../config/nearest.ts';
import { BadSetting } from '../config.ts';
import { commands as extensionCommands } from '../extensions/command-line.ts';
import { version } from '../version.ts';
import { parse, refuseSwallowed } from './arguments.ts';
import { createAsk } from './ask.ts';
import { familyHelp, helpOf, overview } from './help.ts';

export const commands: readonly ListedCommand[] = [
  { name: 'serve', summary: 'Serve the site', load: () => import('./serve.ts') },
  { name: 'user', summary: 'Manage the users of the site', load: () => import('./user.ts') },
  {
    name: 'app-password',
    summary: 'Manage application passwords, which let apps act for a user',
    load: () => import('./app-password.ts'),
  },
  { name: 'backup', summary: 'Back up the whole site into one archive', load: () => import('./backup.ts') },
  { name: 'restore', summary: 'Restore a site from an archive', load: () => import('./restore.ts') },
  { name: 'verify', summary: 'Check an archive and show what is in it', load: () => import('./verify.ts') },
  { name: 'import', summary: 'Import the content of another site', load: () => import('./import.ts') },
  { name: 'export', summary: 'Export the content of the site', load: () => import('./export.ts') },
  { name: 'settings', summary: 'Show and change the settings of the site', load: () => import('./settings.ts') },
  {
    name: 'extension',
    summary: 'Manage the extensions of the site, and make packages of your own',
    load: () => import('./extension.ts'),
  },
  { name: 'media', summary: 'Check the media library', load: () => import('./media.ts') },
  { name: 'jobs', summary: 'Show, cancel and run background jobs', load: () => import('./jobs.ts') },
  { name: 'migrate', summary: 'Migrate the database to this version', load: () => import('./migrate.ts') },
  { name: 'routes', summary: 'List every route', load: () => import('./routes.ts') },
  { name: 'openapi', summary: 'Print the OpenAPI document', load: () => import('./openapi.ts') },
  {
    name: 'doctor',
    summary: 'Check this installation and show how to fix problems',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a shell completion script',
    load: async () => ({ command: (await import('./completion.ts')).completionOf(commands) }),
  },
  ...extensionCommands,
];

/**
 * Runs one command and answers the exit code: 0 fine, 1 failed, 2 wrong use. A failure is told on `io.stderr`. It never touches the
 * process it runs in: `src/main.ts` gives it that of `gatehouse`, and tests call it in their own.
 */
export const cli = (args: readonly string[], io: Io): Promise<number> =>
  main(args, io).catch((error) => refusal(error, io));

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

const print = (stream: OutputStream, text: string): void => void stream.write(`${text}\n`);

async function main([name, ...args]: readonly string[], io: Io): Promise<number> {
  if (name === 'help' && args[0] !== undefined) return main([...args, '--help'], io);
  if (name === undefined || name === 'help' || isHelp(name)) return printHelp(overview(commands, version()), name, io);
  if (name === '--version' || name === '-v') {
    print(io.stdout, version());
    return 0;
  }
  const { command } = await chosen(commands, name).load();
  return 'members' in command ? within(command, args, io) : run(command, args, io);
}

/** Help that was asked for is the answer; other help goes to standard error. */
function printHelp(help: string, asked: string | undefined, { stdout, stderr }: Io): number {
  print(asked === undefined ? stderr : stdout, help);
  return asked === undefined ? 2 : 0;
}

async function within(family: Family, [name, ...args]: readonly string[], io: Io): Promise<number> {
  if (name === undefined || isHelp(name)) return printHelp(familyHelp(family), name, io);
  return run(chosen(family.members, name, family.name).command, args, io);
}

async function run(command: Command, args: readonly string[], io: Io): Promise<number> {
  refuseSwallowed(command, io.env);
  const { help, ...given } = parse(args, command);
  if (help) return printHelp(helpOf(command), '--help', io);
  if (command.stays) io.process?.ignoreClosedOutput();
  return command.run(createAsk(command, given, io));
}

function chosen<C extends { readonly name: string }>(among: readonly C[], name: string, family?: string): C {
  const found = among.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = among.map((one) => one.name);
  const called = family === undefined ? 'gatehouse' : `gatehouse ${family}`;
  if (name.startsWith('-')) throw new WrongUse(`Give the command first (${names.join(', ')}); see ${called} --help.`);
  throw new WrongUse(`${called} has no command ${name}.${suggestion(name, names) || ` See ${called} --help.`}`);
}

/** Failures whose message is meant for the person at the command line. */
const plain = new Set([
  'Problem',
  'StoreProblem',
  'Unavailable',
  'OutOfSpace',
  'TableProblem',
  'AssemblyProblem',
  'ArchiveProblem',
]);

function refusal(error: unknown, { stderr }: Io): number {
  if (error instanceof WrongUse || error instanceof BadSetting) {
    print(stderr, printable(error.message));
    return 2;
  }
  if (error instanceof Failed || (error instanceof Error && plain.has(error.constructor.name))) {
    print(stderr, printable(error.message));
    return 1;
  }
  print(stderr, 'This is a bug in Gatehouse. Report it with the lines below.');
  print(stderr, inspect(error));
  return 1;
}
