// A new extension is the one in `examples/packed`, by another name: what is tested there is what an author begins with.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, version } from '../../version.ts';
import { refused, writeNew } from './files.ts';

const starter = { folder: join(root, 'examples/packed/guest-book'), slug: 'guest-book' };

/** Every spelling of its name, and what stands there instead. */
function spellings(slug: string): readonly (readonly [from: string, to: string])[] {
  const words = (name: string) => name.replaceAll('-', ' ');
  const snake = (name: string) => name.replaceAll('-', '_');
  const title = (name: string) => words(name).replace(/^./, (first) => first.toUpperCase());
  return [(name: string) => name, snake, words, title].map((spell) => [spell(starter.slug), spell(slug)]);
}

/** Makes the folder; the names of the files in it. What fails leaves nothing. */
export function begin(folder: string, slug: string): string[] {
  try {
    mkdirSync(folder);
  } catch (error) {
    return refused(folder, error);
  }
  try {
    return filled(folder, slug);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return refused(folder, error);
  }
}

function filled(folder: string, slug: string): string[] {
  const named = (text: string): string => spellings(slug).reduce((now, [from, to]) => now.replaceAll(from, to), text);
  const current = (text: string): string => text.replace(/"gatehouse": "[^"]*"/, `"gatehouse": ">=${version()}"`);
  const files = readdirSync(starter.folder).map(
    (name) => [named(name), current(named(readFileSync(join(starter.folder, name), 'utf8')))] as const,
  );
  const all = [...files, ...toolsOf(slug)];
  for (const [name, content] of all) writeNew(join(folder, name), content);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/gatehouse'), 'dir');
  return all.map(([name]) => name);
}

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What an author's tools need to find Gatehouse, by the link in `node_modules`. None of it goes into the package. */
const toolsOf = (slug: string): readonly (readonly [name: string, content: string])[] => [
  [
    'package.json',
    written({
      name: slug,
      private: true,
      type: 'module',
      scripts: {
        check: 'node node_modules/gatehouse/bin/dev node_modules/typescript/bin/tsc -p .',
        test: 'node node_modules/gatehouse/bin/dev test/elsewhere.ts .',
        pack: 'node node_modules/gatehouse/bin/gatehouse extension pack .',
      },
      imports: Object.fromEntries(
        [...['lib', 'kernel', 'store', 'site'].map((floor) => [floor, `src/${floor}`]), ['test', 'test/support']].map(
          ([name, place]) => [`#${name}/*`, `gatehouse/${place}/*`],
        ),
      ),
      devDependencies: { gatehouse: `file:${root}` },
    }),
  ],
  [
    'tsconfig.json',
    written({
      extends: './node_modules/gatehouse/tsconfig.json',
      compilerOptions: {
        paths: { kysely: ['./node_modules/gatehouse/node_modules/kysely/dist/index.d.ts'] },
        typeRoots: ['./node_modules/gatehouse/node_modules/@types'],
      },
      include: ['**/*'],
      exclude: ['node_modules'],
    }),
  ],
  ['.gitignore', 'node_modules/\n*.zip\n*.key\n*.pem\ncatalogue.json\n'],
];
