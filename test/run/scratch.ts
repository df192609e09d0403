// Where the tests keep their sites.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
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

/** Whatever a test that was cut off leaves lying goes with it. PostgreSQL runs as another user and must get in. */
export function makeScratch(): Scratch {
  const [quick, real] = [quickest(), tmpdir()].map((root) => mkdtempSync(join(root, 'gatehouse-tests-')));
  for (const folder of [quick!, real!]) chmodSync(folder, 0o711);
  return {
    quick: quick!,
    real: real!,
    clear: () => {
      for (const folder of [quick!, real!]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
