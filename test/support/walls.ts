import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Import, Source } from './imports.ts';

/** One test for a file that keeps the rule, one for every import that breaks it. */
export function hold(files: readonly Source[], rule: (one: Import) => string | undefined): void {
  for (const { path, imports } of files) {
    const broken = imports.flatMap((one) => {
      const why = rule(one);
      return why === undefined ? [] : [{ ...one, why }];
    });
    if (broken.length === 0) test(path, () => {});
    for (const { from, line, named, why } of broken) {
      test(`${from}:${line} imports ${named}: ${why}`, () => assert.fail(why));
    }
  }
}
