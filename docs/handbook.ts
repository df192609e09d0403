// What the handwritten pages say, for the tests that try it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '#test/gatehouse.ts';
import type { SitePlace } from '#test/serving.ts';

export const written = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The blocks of one language, without their indentation. */
export const blocks = (language: string, page: string): string[] =>
  [...page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

const root = join(import.meta.dirname, '..');

/** Runs a shell script of a page for this site; each line it prints is an answer in JSON. */
export async function answersTo(script: string, { env, data }: SitePlace) {
  const { code, out, err } = await start('sh', ['-c', script], { ...env, GATEHOUSE_DATA: data }, root).ended;
  assert.equal(code, 0, err);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
