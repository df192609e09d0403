import { appendFileSync } from 'node:fs';
import { test } from 'node:test';

/**
 * A test that only some machines can run. Elsewhere it is named under "not run here", never skipped in silence; where `CI` is set
 * every test must run, so there it fails.
 */
export function needs(able: boolean, need: string, name: string, run: () => Promise<void>): void {
  if (able) return void test(name, run);
  if (process.env.CI) {
    return void test(name, () => {
      throw new Error(`This test needs ${need}, and in CI every test must run.`);
    });
  }
  const line = `${name} (needs ${need})`;
  const list = process.env.GATEHOUSE_NOT_RUN;
  if (list) appendFileSync(list, `${line}\n`);
  if (!list) console.log(`not run here: ${line}`);
}

export const isRoot = process.getuid?.() === 0;

export const needsRoot = (name: string, run: () => Promise<void>): void =>
  needs(isRoot && process.platform === 'linux', 'root on Linux', name, run);
