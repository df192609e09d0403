// Suites that wait for something before their tests are written. Node's runner ends a suite around them without waiting, so the worker that
// makes one for each file waits for these first.
import { describe } from 'node:test';

const beginning: Promise<unknown>[] = [];

export function waitForSuite(begun: Promise<unknown>): void {
  beginning.push(begun.catch(() => {}));
}

/** Once the tests of all suites so far are written. */
export async function suitesWritten(): Promise<void> {
  while (beginning.length > 0) await Promise.all(beginning.splice(0));
}

/** A suite that opens something before its tests are written. */
export function describeAsync(title: string, write: () => Promise<void>): void {
  describe(title, () => {
    const begun = write();
    waitForSuite(begun);
    return begun;
  });
}
