// The command line. Nothing imports this file.
import { printable } from '#lib/printable.ts';
import { parse, refuseSwallowed } from './commands/arguments.ts';
import { type Ask, type Command, Failed, type Family, WrongUse } from './commands/command.ts';
import { familyHelp, helpOf, overview } from './commands/help.ts';
import { createInput } from './commands/input.ts';
import { suggestion } from './config/nearest.ts';
import { BadSetting } from './config.ts';
import { version } from './version.ts';

interface Listed {
  readonly name: string;
  readonly summary: string;
  /** Loaded when asked for: no command pays for another. */
  load(): Promise<{ command: Command | Family }>;
}

const commands: readonly Listed[] = [
  { name: 'serve', summary: 'Serve the site', load: () => import('./commands/serve.ts') },
  { name: 'user', summary: 'The people of the site', load: () => import('./commands/user.ts') },
  {
    name: 'app-password',
    summary: 'What programs sign in with for a user',
    load: () => import('./commands/app-password.ts'),
  },
  { name: 'backup', summary: 'Write the whole site into one archive', load: () => import('./commands/backup.ts') },
  { name: 'restore', summary: 'Make a site from an archive', load: () => import('./commands/restore.ts') },
  { name: 'verify', summary: 'Read an archive and say what is in it', load: () => import('./commands/verify.ts') },
  { name: 'import', summary: 'Move in from another site', load: () => import('./commands/import.ts') },
  { name: 'export', summary: 'Move the content of the site out', load: () => import('./commands/export.ts') },
  { name: 'seed', summary: 'Fill the site with test data, to try it with', load: () => import('./commands/seed.ts') },
  { name: 'settings', summary: 'What the site is set to', load: () => import('./commands/settings.ts') },
  { name: 'hub', summary: 'Look after several sites in one table', load: () => import('./commands/hub.ts') },
  {
    name: 'extension',
    summary: 'Extensions: those of this site, and packages of your own',
    load: () => import('./commands/extension.ts'),
  },
  {
    name: 'secsuite',
    summary: 'Let in again whom the security suite keeps out',
    load: () => import('./commands/secsuite.ts'),
  },
  { name: 'logs', summary: 'What the security suite wrote down', load: () => import('./commands/logs.ts') },
  { name: 'jobs', summary: 'Work that goes on in the background', load: () => import('./commands/jobs.ts') },
  { name: 'migrate', summary: 'Bring the database up to date', load: () => import('./commands/migrate.ts') },
  { name: 'routes', summary: 'List every route', load: () => import('./commands/routes.ts') },
  { name: 'openapi', summary: 'Print the OpenAPI document', load: () => import('./commands/openapi.ts') },
  {
    name: 'doctor',
    summary: 'Check this installation and say what is wrong',
    load: () => import('./commands/doctor.ts'),
  },
];

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === 'help' && args[0] !== undefined) return main([...args, '--help']);
  if (name === undefined || name === 'help' || isHelp(name)) return printed(overview(commands, version()), name);
  if (name === '--version' || name === '-v') {
    console.log(version());
    return 0;
  }
  const { command } = await chosen(commands, name).load();
  return 'members' in command ? within(command, args) : run(command, args);
}

/** What was asked for goes where answers go; what was not, beside them. */
function printed(help: string, asked: string | undefined): number {
  (asked === undefined ? console.error : console.log)(help);
  return asked === undefined ? 2 : 0;
}

async function within(family: Family, [name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || isHelp(name)) return printed(familyHelp(family), name);
  return run(chosen(family.members, name, family.name).command, args);
}

async function run(command: Command, args: readonly string[]): Promise<number> {
  refuseSwallowed(command, process.env);
  const { help, ...given } = parse(args, command);
  if (help) return printed(helpOf(command), '--help');
  if (command.stays) process.stdout.off('error', unread).on('error', () => {});
  const ask: Ask = {
    ...given,
    env: process.env,
    ...(command.usual && { usual: command.usual }),
    input: createInput(process.stdin, process.stderr),
    out: (line) => console.log(line),
    note: (line) => console.error(line),
  };
  return command.run(ask);
}

function chosen<C extends { readonly name: string }>(among: readonly C[], name: string, family?: string): C {
  const found = among.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = among.map((one) => one.name);
  const called = family === undefined ? 'gatehouse' : `gatehouse ${family}`;
  if (name.startsWith('-')) throw new WrongUse(`A command comes first (${names.join(', ')}); see ${called} --help.`);
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

function refusal(error: unknown): number {
  if (error instanceof WrongUse || error instanceof BadSetting) {
    console.error(printable(error.message));
    return 2;
  }
  if (error instanceof Failed || (error instanceof Error && plain.has(error.constructor.name))) {
    console.error(printable(error.message));
    return 1;
  }
  console.error('This is a fault in Gatehouse itself; please report it with the lines below.');
  console.error(error);
  return 1;
}

/** A reader that has seen enough (`gatehouse routes | head`) is no fault. */
function unread(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
}

process.stdout.on('error', unread);
process.stderr.on('error', () => {});

/** Once all that was said before is read, or nobody reads any more. */
const read = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

const code = await main(process.argv.slice(2)).catch(refusal);
await Promise.all([read(process.stdout), read(process.stderr)]);
// Whatever an extension of a package left running keeps no command from ending.
process.exit(code);
