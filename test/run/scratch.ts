// Where the tests keep their sites.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Bytes: several times what has ever lain there. */
const plenty = 8 * 1024 ** 3;

/** In memory where there is plenty: the tests make a thousand databases, each of which waits for the disk again and again. */
function quickest(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > plenty && process.availableMemory() > plenty ? memory : tmpdir();
}

export interface Scratch {
  readonly quick: string;
  /** On the disk, for what looks at that. */
  readonly real: string;
  clear(): void;
}

/** Folders of runs that were killed: in memory they would stay until the machine is started again. */
function clearAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    const owner = /^gatehouse-tests-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whatever a test that was cut off leaves lying goes with it. PostgreSQL runs as another user and must get in. */
export function makeScratch(): Scratch {
  const roots = [quickest(), tmpdir()];
  const [quick, real] = roots.map((root) => mkdtempSync(join(root, `gatehouse-tests-${process.pid}-`)));
  for (const root of new Set(roots)) {
    try {
      clearAbandoned(root);
    } catch {
      // They are another user's.
    }
  }
  for (const folder of [quick!, real!]) chmodSync(folder, 0o711);
  return {
    quick: quick!,
    real: real!,
    clear: () => {
      for (const folder of [quick!, real!]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
