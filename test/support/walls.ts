import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Import, Source } from './imports.ts';

/** One test that there are files for the rule, and one for every import that breaks it. */
export function hold(files: readonly Source[], rule: (one: Import) => string | undefined): void {
  test('in every file', () => assert.ok(files.length > 0));
  for (const { from, line, named, why } of files.flatMap(({ imports }) => broken(imports, rule)))
    test(`${from}:${line} imports ${named}: ${why}`, () => assert.fail(why));
}

const broken = (imports: readonly Import[], rule: (one: Import) => string | undefined) =>
  imports.flatMap((one) => {
    const why = rule(one);
    return why === undefined ? [] : [{ ...one, why }];
  });
