import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';

interface Child {
  readonly pid: number;
  readonly file: string;
}

/** The test files that are running now, each a child of this process. */
function running(): Child[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, file] = /^\s*(\d+)\s+(\d+)\s.*\s(\S+\.test\.(?:ts|mjs))\s*$/.exec(line) ?? [];
    return Number(parent) === process.pid && file !== undefined ? [{ pid: Number(pid), file }] : [];
  });
}

/** Ends every test file at once: one that spins does not hear a polite signal. */
export function endAll(): void {
  for (const { pid } of running()) process.kill(pid, 'SIGKILL');
}

/**
 * Names what takes long and ends what takes longer than `limit`, in seconds. Answers how to stop watching. A busy machine stretches the
 * limit, and time in which the machine stood still does not count, because the test had neither.
 */
export function watch(limit: number, say: (text: string) => void): () => void {
  const taken = new Map<number, number>();
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const passed = Math.min((now - last) / 1000, 2 * LOOK) * Math.min(1, availableParallelism() / loadavg()[0]!);
    last = now;
    for (const child of running()) {
      const seconds = (taken.get(child.pid) ?? -passed) + passed;
      taken.set(child.pid, seconds);
      judge(child, Math.round(seconds), limit, say);
    }
  }, LOOK * 1000);
  return () => clearInterval(timer);
}

const LOOK = 10;
const REPEAT = 30;

function judge({ pid, file }: Child, seconds: number, limit: number, say: (text: string) => void): void {
  if (seconds >= limit) {
    say(`ended   ${file}  (not done after ${seconds} s)`);
    process.kill(pid, 'SIGKILL');
    return;
  }
  if (seconds >= REPEAT && seconds % REPEAT < LOOK) say(`...     ${file}  (running for ${seconds} s)`);
}
