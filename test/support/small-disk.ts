import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder on a disk of 4 MB. Needs root on Linux. */
export async function onSmallDisk(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  try {
    await use(folder);
  } finally {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  }
}
