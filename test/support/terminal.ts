// A person at a terminal, acted by `script`: what stands on the screen, and what is typed when something is asked.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clean } from './gatehouse.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

/** `script` of util-linux; the one of macOS takes other arguments. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Without what moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for.
const readable = (screen: string): string => screen.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');

export interface Seen {
  readonly code: number | null;
  readonly screen: string;
}

/** Runs a command to its end; each answer is typed once its question stands on the screen. */
export async function atTerminal(
  args: readonly string[],
  answers: readonly (readonly [question: RegExp, typed: string])[],
  env: NodeJS.ProcessEnv = {},
): Promise<Seen> {
  // Not every shell makes way for its last command, and one that stays reports a Ctrl-C as its own end.
  const line = `exec ${[process.execPath, main, ...args].map(quoted).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], { env: clean(env), stdio: ['pipe', 'pipe', 'inherit'] });
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const left = [...answers];
  let screen = '';
  let answered = 0;
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    const [next] = left;
    if (next === undefined || !next[0].test(readable(screen.slice(answered)))) return;
    answered = screen.length;
    left.shift();
    child.stdin.write(next[1]);
  });
  const [code] = await once(child, 'close');
  clearTimeout(late);
  return { code, screen: readable(screen) };
}
