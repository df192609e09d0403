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
  about: `Writes the content of the site, or a part of it, into a WXR file that other sites can import: posts, pages and other records
of every type and status, with their authors, terms and comments. The file holds the URLs of uploaded files, not the files. Copy the
folder of uploaded files too.`,
  words: [{ name: 'FILE', meaning: 'The file; - is standard output' }],
  options: {
    content: {
      value: 'type',
      meaning: 'Only records of this type, for example post, page or attachment (default: all)',
    },
    author: { value: 'login', meaning: 'Only records by this user' },
    category: { value: 'slug', meaning: 'Only records in this category' },
    start: { value: 'YYYY-MM', meaning: 'Only records from this month or later' },
    end: { value: 'YYYY-MM', meaning: 'Only records from this month or earlier' },
    status: { value: 'status', meaning: 'Only records with this status, for example publish, draft or private' },
    force: { meaning: 'Replace the file if it exists' },
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
  if (found === undefined) throw new Failed(`Category ${slug} does not exist.`);
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
  about: 'Exports the content of the site. These commands work whether or not the site is running.',
  members: [{ name: 'wxr', summary: 'Write a WXR file that other sites can import', command: wxr }],
};
