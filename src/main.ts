// The command line. Nothing imports this file.
import { parse, refuseSwallowed } from './commands/arguments.ts';
import { type Ask, type Command, Failed, WrongUse } from './commands/command.ts';
import { helpOf, overview } from './commands/help.ts';
import { suggestion } from './config/nearest.ts';
import { BadSetting } from './config.ts';
import { version } from './version.ts';

interface Listed {
  readonly name: string;
  readonly summary: string;
  /** Loaded when asked for: no command pays for another. */
  load(): Promise<{ command: Command }>;
}

const commands: readonly Listed[] = [
  { name: 'serve', summary: 'Serve the site', load: () => import('./commands/serve.ts') },
  { name: 'migrate', summary: 'Bring the database up to date', load: () => import('./commands/migrate.ts') },
  { name: 'routes', summary: 'List every route', load: () => import('./commands/routes.ts') },
  { name: 'openapi', summary: 'Print the OpenAPI document', load: () => import('./commands/openapi.ts') },
  {
    name: 'doctor',
    summary: 'Check this installation and say what is wrong',
    load: () => import('./commands/doctor.ts'),
  },
];

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    if (name === 'help' && args[0] !== undefined) return main([args[0], '--help']);
    (name === undefined ? console.error : console.log)(overview(commands, version()));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    console.log(version());
    return 0;
  }
  const listed = commands.find((one) => one.name === name);
  if (!listed) throw new WrongUse(unknown(name));
  const { command } = await listed.load();
  refuseSwallowed(command, process.env);
  const { flags, options, help } = parse(args, command);
  if (help) {
    console.log(helpOf(command));
    return 0;
  }
  const ask: Ask = {
    flags,
    options,
    env: process.env,
    out: (line) => console.log(line),
    note: (line) => console.error(line),
  };
  return command.run(ask);
}

function unknown(name: string): string {
  const names = commands.map((one) => one.name);
  if (name.startsWith('-')) return `A command comes first (${names.join(', ')}); see gatehouse --help.`;
  return `gatehouse has no command ${name}.${suggestion(name, names) || ' See gatehouse --help.'}`;
}

/** Failures whose message is meant for the person at the command line. */
const plain = new Set(['StoreProblem', 'Unavailable', 'OutOfSpace', 'TableProblem', 'AssemblyProblem']);

function refusal(error: unknown): number {
  if (error instanceof WrongUse || error instanceof BadSetting) {
    console.error(error.message);
    return 2;
  }
  if (error instanceof Failed || (error instanceof Error && plain.has(error.constructor.name))) {
    console.error(error.message);
    return 1;
  }
  console.error('This is a fault in Gatehouse itself; please report it with the lines below.');
  console.error(error);
  return 1;
}

// A reader that has seen enough (`gatehouse routes | head`) is no fault. A site that serves goes on whoever reads.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.argv[2] !== 'serve') process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => {});

process.exitCode = await main(process.argv.slice(2)).catch(refusal);
