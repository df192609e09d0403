// The commands that move the content of a site out.

import { pipeline } from 'node:stream/promises';
import { type Ask, type Command, Failed, type Family, given, WrongUse } from '#cli/command.ts';
import { somebody } from '#cli/people.ts';
import { number } from '#cli/table.ts';
import { Problem } from '#kernel/problem.ts';
import { printable } from '#lib/printable.ts';
import type { SiteServices } from '#site/services.ts';
import { writeArchive } from '#site/transfer/backup/file.ts';
import { readSelection, type Selection } from '#site/transfer/import/wxr/selection.ts';
import { createExporting, type Exporting, type Progress } from '#site/transfer/import/wxr/write.ts';

const wxr: Command = {
  name: 'export wxr',
  about: `Writes what the site publishes, or some of it, into one file that other sites of this family can import: records of every
type and status, who wrote them, by what they are sorted, and what is said about them. Uploaded files are not in it, only their
addresses; take the folder along.`,
  words: [{ name: 'FILE', meaning: 'The file; - is standard output' }],
  options: {
    content: { value: 'type', meaning: 'Only records of this type: post, page, attachment …; all without it' },
    author: { value: 'login', meaning: 'Only what this person wrote' },
    category: { value: 'slug', meaning: 'Only what this category holds' },
    start: { value: 'YYYY-MM', meaning: 'Only what is of this month or a later one' },
    end: { value: 'YYYY-MM', meaning: 'Only what is of this month or an earlier one' },
    status: { value: 'status', meaning: 'Only what is published, or a draft …: publish, draft, private …' },
    force: { meaning: 'Replace the file if it is there' },
  },
  run: (ask) =>
    ask.inSite(async (services) => {
      const selection = await selectionIn(ask, services);
      const exporting = createExporting(services);
      let records = 0;
      const progress: Progress = (now) => {
        records = now;
      };
      const file = given(ask.words, 'FILE');
      const work =
        file === '-' ? print(exporting, selection, progress, ask) : write(exporting, selection, progress, ask);
      await ask.progress.during(() => `Exporting: ${counted(records)}`, work);
      const place = file === '-' ? 'Standard output' : ask.path(file);
      ask.note(printable(`${place} holds ${counted(records)}.`));
    }),
};

const counted = (records: number): string => `${number(records)} record${records === 1 ? '' : 's'}`;

async function selectionIn({ options }: Ask, { content, identity }: SiteServices): Promise<Selection> {
  const selection = soundly(() => readSelection(content.kinds, options));
  const { author, category } = options;
  return {
    ...selection,
    ...(author !== undefined && { author: (await somebody(identity.users, author)).id }),
    ...(category !== undefined && { category: await categoryOf(content, category) }),
  };
}

/** What cannot be asked for is wrong on the wxr line. */
function soundly<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Problem ? new WrongUse(error.message) : error;
  }
}

async function categoryOf({ terms }: SiteServices['content'], slug: string): Promise<number> {
  const found = await terms.named('category', slug);
  if (found === undefined) throw new Failed(`There is no category ${slug}.`);
  return found.id;
}

const print = (exporting: Exporting, selection: Selection, progress: Progress, { io }: Ask): Promise<void> =>
  exporting.write(selection, (pieces) => pipeline(pieces, io.stdout, { end: false }), progress);

const write = (exporting: Exporting, selection: Selection, progress: Progress, { words, options, path }: Ask) =>
  writeArchive(path(given(words, 'FILE')), options.force !== undefined, (sink) =>
    exporting.write(
      selection,
      async (pieces) => {
        for await (const piece of pieces) await sink(Buffer.from(piece));
      },
      progress,
    ),
  );

export const command: Family = {
  name: 'export',
  about: 'What a site publishes, to take along. These commands work on its data, whether it is serving or not.',
  members: [{ name: 'wxr', summary: 'Write what other sites of this family can import', command: wxr }],
};
