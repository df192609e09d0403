// Tables of examples: one test checks all rows and names each that differs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

const longestName = 160;

const nameOf = (row: unknown): string =>
  inspect(row, { depth: 4, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 80 }).slice(0, longestName);

/** Checks every row, one after the other, and fails with the reason for each row that `check` rejects. */
export async function checkRows<const Row>(rows: Iterable<Row>, check: (row: Row) => unknown): Promise<void> {
  const failures: string[] = [];
  let count = 0;
  for (const row of rows) {
    count += 1;
    try {
      await check(row);
    } catch (error) {
      failures.push(`${nameOf(row)}: ${error instanceof Error ? error.message : inspect(error)}`);
    }
  }
  assert.notEqual(count, 0, 'The table has no rows.');
  assert.deepEqual(failures, []);
}

/** One test of all rows of a table. */
export function testRows<Row>(title: string, rows: readonly Row[], check: (row: Row) => unknown): void {
  test(title, () => checkRows(rows, check));
}
