// The command line as a process. Nothing imports this file.
import { runCommand } from './commands/command-line.ts';

/** A reader that has seen enough (`gatehouse routes | head`) is no fault. */
function unread(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
}

process.stdout.on('error', unread);
process.stderr.on('error', () => {});
const stays = (): void => {
  process.stdout.off('error', unread).on('error', () => {});
};

/** Once all that was said before is read, or nobody reads any more. */
const read = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

const code = await runCommand(process.argv.slice(2), { env: process.env, stdin: process.stdin, stays });
await Promise.all([read(process.stdout), read(process.stderr)]);
// Whatever an extension of a package left running keeps no command from ending.
process.exit(code);
