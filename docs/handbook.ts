// What the handwritten pages say, for the tests that try it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const written = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

export const operations = written('operations.md');

/** The blocks of one language, without what indents them. */
export const blocks = (language: string, page = operations): string[] =>
  [...page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
