// What is made for as long as some work takes, and goes with it: also when that is stopped, and later when it was killed.
import { rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until it is called off: whoever stops the process gets what was asked for, without what was half-done. */
export function removedWhenStopped(path: string): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It stays: somebody still writes there.
    }
    process.kill(process.pid, signal);
  };
  const forget = (): void => {
    for (const signal of stops) process.off(signal, stop);
  };
  for (const signal of stops) process.on(signal, stop);
  return forget;
}

/** Takes away the temporary folders of this user whose names begin so and that nobody touched for so many milliseconds. */
export async function sweepTemporary(beginning: string, age: number): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(beginning)) continue;
    const path = join(tmpdir(), name);
    const about = await lstat(path).catch(() => undefined);
    // The folder of somebody else stays, and so does one that cannot be taken away.
    if (about === undefined || !about.isDirectory() || about.uid !== process.getuid?.()) continue;
    if (Date.now() - about.mtimeMs > age) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
