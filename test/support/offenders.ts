// One test for a whole table: it names every row that differs.
import { AssertionError } from 'node:assert';

/** What is wrong with each row that does not hold; compare it with `[]`. */
export async function offendersAmong<T>(
  rows: Iterable<T>,
  nameOf: (row: T) => string,
  check: (row: T) => void | Promise<void>,
): Promise<string[]> {
  const offenders: string[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      offenders.push(`${nameOf(row)}: ${error.message}`);
    }
  }
  return offenders;
}
