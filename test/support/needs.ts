import { test } from 'node:test';

/**
 * A test that only some machines can run. Elsewhere it is named under "not run here", and where `CI` is set the run fails then.
 */
export function needs(able: boolean, need: string, name: string, run: () => Promise<void>): void {
  test(name, { skip: able ? false : `needs ${need}` }, run);
}

export const isRoot = process.getuid?.() === 0;

export const needsRoot = (name: string, run: () => Promise<void>): void =>
  needs(isRoot && process.platform === 'linux', 'root on Linux', name, run);
