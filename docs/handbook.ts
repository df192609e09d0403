// What operations.md says, for the tests that try it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const operations = readFileSync(join(import.meta.dirname, 'operations.md'), 'utf8');

/** The blocks of one language, without what indents them. */
export const blocks = (language: string): string[] =>
  [...operations.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
