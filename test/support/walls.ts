import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Import, Source } from './imports.ts';
import { codeAlone } from './scan.ts';

type ImportRule = (one: Import) => string | undefined;

/** Each import that breaks the rule, with its place and the reason. */
export const brokenImports = (files: readonly Source[], rule: ImportRule): string[] =>
  files
    .flatMap(({ imports }) => imports)
    .flatMap((one) => {
      const why = rule(one);
      return why === undefined ? [] : [`${one.from}:${one.line} imports ${one.named}: ${why}`];
    });

/** One test: there are files for the rule, and none of their imports breaks it. */
export function checkImports(title: string, files: readonly Source[], rule: ImportRule): void {
  test(title, () => {
    assert.ok(files.length > 0);
    assert.deepEqual(brokenImports(files, rule), []);
  });
}

/** Each line of code that the pattern finds, with its place. Comments and texts are not code. */
export const linesWith = (files: readonly Pick<Source, 'path' | 'text'>[], pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) =>
    codeAlone(text)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
