// The commands that move the content of another site in.

import { basename } from 'node:path';
import { type Ask, type Command, type Family, given, json, type Word } from '#cli/command.ts';
import { bar } from '#cli/progress.ts';
import { number } from '#cli/table.ts';
import type { SiteServices } from '#site/services.ts';
import { createReport } from '#site/transfer/import/report.ts';
import { openSources } from '#site/transfer/import/sources.ts';
import { demandHere } from '#site/transfer/import/users.ts';
import { arriveFrom } from '#site/transfer/import/wxr/arrive.ts';
import type { Config } from '../config.ts';
import { arrivalOf, arrivalOptions, moving, type Told } from './import/options.ts';
import { command as site } from './import/site.ts';
import { telling } from './import/told.ts';

const file: Word = { name: 'FILE', meaning: 'The export file' };

const wxr: Command = {
  name: 'import wxr',
  about: `Imports an export file (WXR, versions 1.0 to 1.2): users, categories, tags and other terms, posts, pages, files, menus and
comments. Records keep their ids if these are free. Files come from --uploads, or with --fetch from the other site. A file that is
not found is listed, and you can import it in another run. The import sends no email. A record that cannot be imported is listed with its
line and the reason, and the import continues. A second run creates nothing twice, and finishes an import that was stopped.`,
  words: [file],
  options: {
    uploads: { value: 'path', meaning: 'The folder of uploaded files of the other site, or a tar archive of it' },
    fetch: { meaning: 'Download the files that are not in --uploads from the other site' },
    ...arrivalOptions,
    json,
  },
  run: async (ask) => {
    const told = arrivalOf(ask);
    let code = 0;
    await ask.inSite(async (services, config) => {
      code = await arrive(ask, told, services, config);
    });
    return code;
  },
};

async function arrive(ask: Ask, told: Told, services: SiteServices, config: Config) {
  await demandHere(services.identity.users, told);
  const { options, words } = ask;
  const { spool, outgoing } = services;
  const uploads = options.uploads === undefined ? undefined : ask.path(options.uploads);
  const isFetching = options.fetch !== undefined;
  const opening = openSources({ spool, outgoing, uploads, isFetching, limit: config.uploadLimit, isDry: told.dryRun });
  const sources = await ask.progress.during('Reading the uploaded files', opening);
  const report = createReport();
  const { line, progress } = meter();
  const how = { ...told, file: sources.file };
  try {
    const path = ask.path(given(words, file.name));
    const work = moving(services, told, `The export file ${basename(path)}`, (store) =>
      ask.progress.during(line, arriveFrom(path, { ...services, store, url: config.url }, how, progress, report)),
    );
    return await telling(report, ask, work);
  } finally {
    await sources.close();
  }
}

/** How much of a file has been read, as a bar; then, what is put in order. */
function meter() {
  let now = 'Reading';
  return {
    line: () => now,
    progress: {
      reading: (bytes: number, of: number): void => {
        now = `Importing ${bar(of === 0 ? 1 : bytes / of)}`;
      },
      settling: (records: number): void => {
        now = `Linking ${number(records)} records`;
      },
    },
  };
}

export const command: Family = {
  name: 'import',
  about: 'Imports the content of another site. These commands work whether or not this site is running.',
  members: [
    { name: 'wxr', summary: 'Import an export file (WXR)', command: wxr },
    { name: 'site', summary: 'Import from a running site through its API', command: site },
  ],
};
