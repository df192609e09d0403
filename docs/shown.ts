// Whether the lines that extension.md shows are lines of a test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Without what indents the lines. */
const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll(/^ +/gm, '');

/** The block of the page that holds these words, without what it imports. */
function shown(words: string): string {
  const blocks = [...read('extension.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, lines = '']) => lines);
  const block = blocks.find((lines) => lines.includes(words)) ?? '';
  assert.notEqual(block, '', words);
  return block
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(/^export /gm, '')
    .trim();
}

/** The page says what a run of this file has shown to work. */
export const shownIn = (file: string) => (words: string) => assert.ok(read(file).includes(shown(words)), shown(words));
