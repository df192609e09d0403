// The commands that take the configuration of the security suite to another site, as a file.
import { type Ask, type Command, Failed, type Family, given, WrongUse } from '#cli/command.ts';
import { nobody } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import { printable } from '#lib/printable.ts';
import { readAll, writeNew } from '../disk/texts.ts';
import type { Suite } from '../parts.ts';
import { inSuite } from './secsuite.ts';

const fileWord = { name: 'FILE', meaning: 'The file; - is standard output or standard input' } as const;
const only = {
  only: { value: 'source', meaning: 'Only this: modules, user-groups, dashboard, database-bans, settings', many: true },
} as const;

function chosenIn({ lists }: Ask, suite: Suite): true | readonly string[] {
  const { only: chosen } = lists;
  if (chosen === undefined) return true;
  const slugs = suite.transfer.sources().map(({ slug }) => slug);
  const unknown = chosen.find((slug) => !slugs.includes(slug));
  if (unknown === undefined) return chosen;
  throw new WrongUse(`The source ${printable(unknown).slice(0, 64)} does not exist. Choose from ${slugs.join(', ')}.`);
}

const exporting: Command = {
  name: 'security export',
  about: `Writes the configuration of the security suite into a file: modules, user groups, dashboards, bans and settings. Secrets, such as
API keys, are not exported: set them again on the other site.`,
  words: [fileWord],
  options: { ...only, force: { meaning: 'Replace the file if it is there' } },
  run: (ask) =>
    inSuite(ask, async (suite) => {
      const sources = chosenIn(ask, suite);
      const work = suite.transfer.export({ title: '', sources, options: {}, by: undefined });
      const { document } = await ask.progress.during('Exporting', work);
      const text = `${JSON.stringify(document, null, 2)}\n`;
      const file = given(ask.words, fileWord.name);
      if (file === '-') ask.io.stdout.write(text);
      else await writeNew(ask.path(file), text, ask.options.force !== undefined).catch(failed);
      const place = file === '-' ? 'Standard output' : ask.path(file);
      ask.note(printable(`${place} holds ${Object.keys(document.sources).join(', ')}.`));
    }),
};

const maps = {
  'drop-users': { meaning: 'Import no user; without it, users are found by their email addresses' },
  'drop-roles': { meaning: 'Import no role; without it, roles are found by their names' },
  check: { meaning: 'Only check the file, and import nothing' },
} as const;

const importing: Command = {
  name: 'security import',
  about: `Imports a file that "security export" wrote, or that a security manager downloaded: all of it or nothing. User groups and dashboards
of this site are deleted if the file holds others; bans are added. Secrets of this site stay.`,
  words: [fileWord],
  options: { ...only, ...maps },
  run: (ask) =>
    inSuite(ask, async (suite) => {
      const { transfer } = suite;
      const sources = chosenIn(ask, suite);
      const file = given(ask.words, fileWord.name);
      const bytes = await readAll(file === '-' ? ask.io.stdin : ask.path(file), transfer.mostSent).catch(failed);
      let doing = 'Importing';
      const work = async (): Promise<string[]> => {
        const document = await transfer.readFile(bytes, file);
        if (ask.options.check !== undefined) {
          transfer.validate(document);
          return [];
        }
        return transfer.run(document, {
          sources,
          users: ask.options['drop-users'] === undefined,
          roles: ask.options['drop-roles'] === undefined,
          // Whoever runs the server is not kept out by what is imported.
          behalf: { caller: nobody, wouldManage: () => true },
          self: '',
          onProgress: (title) => {
            doing = `Importing: ${title}`;
          },
        });
      };
      const warnings = await ask.progress.during(() => doing, work()).catch(failed);
      for (const warning of warnings) ask.note(printable(warning));
      ask.out(ask.options.check === undefined ? 'The configuration was imported.' : 'The file is a valid export.');
    }),
};

function failed(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const reasons = Object.values((error.details.params ?? {}) as Record<string, string>);
  throw new Failed(printable([error.message, ...reasons].join(' ')));
}

export const command: Family = {
  name: 'security',
  about: 'The configuration of the security suite. These commands work whether the site is serving or not.',
  members: [
    { name: 'export', summary: 'Write the configuration into a file', command: exporting },
    { name: 'import', summary: 'Import the configuration from a file', command: importing },
  ],
};
