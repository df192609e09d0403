// What imports what: read off the code, types and dynamic imports included.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { withoutComments } from './scan.ts';

export interface Import {
  /** The file that imports, below the root of the repository. */
  readonly from: string;
  /** As it is written. */
  readonly named: string;
  /** The file it means, below the root; undefined when it is a package or part of Node. */
  readonly file: string | undefined;
  readonly line: number;
  /** The whole statement, for those that ask which names. */
  readonly text: string;
}

export const root = join(import.meta.dirname, '../..');

/** `import … from`, `export … from`, `import '…'`, `import('…')`, `import type`, `typeof import('…')`, `require('…')`. */
const forms = [
  /(?:^|[^\w.#])(?:import|export)\b[^'"`;()]*?\bfrom\s*(['"])([^'"]+)\1/g,
  // Not the word itself, as a text.
  /(?:^|[^\w.#'"`])import\s*(['"])([^'"]+)\1/g,
  /(?:^|[^\w.#])(?:import|require)\s*\(\s*(['"`])([^'"`]+)\1/g,
  /createRequire\([^)]*\)\(\s*(['"`])([^'"`]+)\1/g,
];

const aliases = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> }).imports,
).map(([alias, target]) => [alias.replace('*', ''), posix.normalize(target.replace('*', ''))] as const);

function fileOf(from: string, named: string): string | undefined {
  if (named.startsWith('.')) return posix.join(dirname(from), named);
  const alias = aliases.find(([prefix]) => named.startsWith(prefix));
  return alias && alias[1] + named.slice(alias[0].length);
}

export function importsIn(from: string, source: string): Import[] {
  const text = withoutComments(source);
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map((match) => ({
      from,
      named: match[2]!,
      file: fileOf(from, match[2]!),
      text: match[0].trim(),
      line: text.slice(0, match.index + match[0].length).split('\n').length,
    })),
  );
}

/** A dynamic import of a computed name: nobody can say what it means. */
export const computedImports = (source: string): string[] =>
  [
    ...withoutComments(source).matchAll(
      /(?:^|[^\w.#])(?:import|require)\s*\((?!\s*['"`][^'"`$]+['"`]\s*[),])[^)]*\)?/g,
    ),
  ].map(([text]) => text.trim());

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

export const sources = (pattern: string): Source[] =>
  globSync(pattern, { cwd: root })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const lines = text.split('\n').length - 1;
      return { path, text, lines, isTest: path.endsWith('.test.ts'), imports: importsIn(path, text) };
    });
