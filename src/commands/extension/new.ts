import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { printable } from '#lib/printable.ts';
import { bundledNamespaces, ownNamespaces } from '../../boot/known-names.ts';
import { root } from '../../version.ts';
import { type Command, Failed, given, WrongUse } from '../command.ts';
import { begin } from './starter.ts';

/** It begins the names of tables, of which PostgreSQL tells no more than 63 letters apart. */
const longest = 40;

export const command: Command = {
  name: 'extension new',
  about: `Begins an extension: a folder with a small one that works, to be changed into what it shall be. It has a manifest, a noun, a
table, routes, a shortcode and a test.`,
  settings: [],
  words: [
    { name: 'NAME', meaning: 'What it is called in addresses: small letters, digits and hyphens, such as bird-watch' },
  ],
  options: { into: { value: 'folder', meaning: 'Where its folder is made (default: this one)' } },
  run: async (ask) => {
    const slug = fitting(given(ask.words, 'NAME'));
    const into = resolve(ask.options.into ?? '.');
    if (!statSync(into, { throwIfNoEntry: false })?.isDirectory()) throw new Failed(`There is no folder ${into}.`);
    const folder = join(into, slug);
    if (`${realpathSync(into)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
      throw new Failed(`${into} belongs to Gatehouse itself; go to a folder beside it, or name one with --into.`);
    if (existsSync(folder)) throw new Failed(`${folder} is there already; give another NAME, or another folder.`);
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
      `NAME has small letters, digits and single hyphens, ${longest} at most, and begins with a letter; names of tables begin with it, and those are limited.`,
    );
  const taken = [
    ...Object.keys(bundledNamespaces),
    ...[...ownNamespaces, ...Object.values(bundledNamespaces).flat()].map((one) => one.split('/')[0]),
  ];
  if (taken.includes(name)) throw new WrongUse(`Gatehouse has something of its own that is called ${name}.`);
  return name;
}

const next = (slug: string): readonly string[] => [
  '',
  `In ${slug}: "npm test" runs its test, "npm run check" looks at its types, "npm run pack" makes the package.`,
  'Then "gatehouse extension sign" lists the package in a catalogue, and sites that trust it may install it.',
];
