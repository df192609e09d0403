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
  about: `Moves in what an export file holds (WXR, versions 1.0 to 1.2): people, categories, tags and other terms, posts, pages, files,
menus, and what is said about them. Records keep their numbers where those are free. Files come from --uploads, or from where they were
with --fetch; one that is found nowhere is left out and named, and may come in another run. Nobody is written to. What cannot be
taken is told by line and reason, and the rest goes on. A second run makes nothing twice, and finishes what was broken off.`,
  words: [file],
  options: {
    uploads: { value: 'path', meaning: 'The folder of uploaded files of the other site, or a tar archive of it' },
    fetch: { meaning: 'Get the files that are not in --uploads from where they were' },
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
  const sources = await ask.progress.during('Looking through the files', opening);
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
        now = `Putting in order: ${number(records)} records`;
      },
    },
  };
}

export const command: Family = {
  name: 'import',
  about: 'Moves in from another site. These commands work on the data of this one, whether it is serving or not.',
  members: [
    { name: 'wxr', summary: 'Move in what an export file holds', command: wxr },
    { name: 'site', summary: 'Move in from a site that is running, by its interface', command: site },
  ],
};
