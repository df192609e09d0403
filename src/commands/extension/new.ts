import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Command, Failed, given, WrongUse } from '#cli/command.ts';
import { printable } from '#lib/printable.ts';
import { bundledNamespaces, ownNamespaces } from '../../boot/known-names.ts';
import { root, version } from '../../version.ts';
import { refused, writeNew } from './files.ts';

/** It begins the names of tables, of which PostgreSQL tells no more than 63 letters apart. */
const longest = 40;

export const command: Command = {
  name: 'extension new',
  about: `Creates a folder with a small working extension, for you to change. It has a manifest, a noun, a table, routes, a
shortcode and a test.`,
  settings: [],
  words: [{ name: 'NAME', meaning: 'Its slug: lowercase letters, digits and hyphens, for example bird-watch' }],
  options: { into: { value: 'folder', meaning: 'Where to create its folder (default: the current folder)' } },
  run: async (ask) => {
    const slug = fitting(given(ask.words, 'NAME'));
    const into = ask.path(ask.options.into ?? '.');
    if (!statSync(into, { throwIfNoEntry: false })?.isDirectory())
      throw new Failed(`The folder ${into} does not exist.`);
    const folder = join(into, slug);
    if (`${realpathSync(into)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
      throw new Failed(`${into} belongs to Gatehouse itself; go to a folder beside it, or name one with --into.`);
    if (existsSync(folder)) throw new Failed(`${folder} exists already; give another NAME, or another folder.`);
    const files = begin(folder, slug);
    ask.out(folder);
    for (const line of [...files.map((file) => `  ${file}`), ...next(slug)]) ask.note(printable(line));
    return 0;
  },
};

/** Its name is also that of its namespace and, with another sign between the words, of its tables. */
function fitting(name: string): string {
  if (name.length > longest || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new WrongUse(
      `NAME must begin with a letter and have at most ${longest} lowercase letters, digits and single hyphens, because names of tables begin with it.`,
    );
  const taken = [
    ...Object.keys(bundledNamespaces),
    ...[...ownNamespaces, ...Object.values(bundledNamespaces).flat()].map((one) => one.split('/')[0]),
  ];
  if (taken.includes(name)) throw new WrongUse(`Gatehouse uses the name ${name} itself; give another NAME.`);
  return name;
}

const next = (slug: string): readonly string[] => [
  '',
  `In ${slug}: "npm test" runs its test, "npm run check" checks its types, "npm run pack" makes the package.`,
  'Then "gatehouse extension sign" lists the package in a catalogue. Sites that trust its key can install the package.',
];

/** A new extension is the one in `examples/packed`, by another name: what is tested there is what an author begins with. */
const starter = { folder: join(root, 'examples/packed/guest-book'), slug: 'guest-book' };

/** Every spelling of its name, and what stands there instead. */
function spellings(slug: string): readonly (readonly [from: string, to: string])[] {
  const words = (name: string) => name.replaceAll('-', ' ');
  const snake = (name: string) => name.replaceAll('-', '_');
  const title = (name: string) => words(name).replace(/^./, (first) => first.toUpperCase());
  return [(name: string) => name, snake, words, title].map((spell) => [spell(starter.slug), spell(slug)]);
}

/** Makes the folder; the names of the files in it. What fails leaves nothing. */
function begin(folder: string, slug: string): string[] {
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
