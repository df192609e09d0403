import { realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { type Ask, type Command, Failed, given, WrongUse } from '#cli/command.ts';
import { printable } from '#lib/printable.ts';
import type { Files } from '#site/files/files.ts';
import { openFiles } from '#site/files/open.ts';
import { setMark } from '#site/health/marks.ts';
import { systemClock } from '#site/platform/clock.ts';
import { backUp } from '#site/transfer/backup/backup.ts';
import { writeArchive } from '#site/transfer/backup/file.ts';
import { inWorkshop, loadPackages, packagesIn, type Workshop } from '#site/transfer/backup/packages.ts';
import { readSnapshot } from '#store/snapshot.ts';
import { openStore, pendingOf, type StoreOptions } from '#store/store.ts';
import { tablesOf } from '../boot/installed-packages.ts';
import { type Config, envOf } from '../config.ts';
import { version } from '../version.ts';
import { amount, file, meter } from './archive.ts';
import { noSite } from './opened.ts';
import { holdsNothing, storeOptions } from './options.ts';

export const command: Command = {
  name: 'backup',
  about: `Writes the site as it is now, its rows and its files, into one archive, while it serves. The same archive goes back into
SQLite or PostgreSQL, a folder or an object store. It holds the keys of the site as they are wrapped by its secret, and never the
secret: keep that apart. The database is not brought up to date, so a backup can be made before an upgrade.`,
  words: [file],
  options: {
    'no-media': { meaning: 'Leave the files out' },
    force: { meaning: 'Replace the file if it is there' },
  },
  run: async (ask) => {
    const config = ask.config();
    const path = ask.path(given(ask.words, file.name));
    refusePlace(ask.words[file.name], path, config);
    if (await holdsNothing(config, ask)) throw new Failed(noSite(config));
    ask.io.process?.lowerPriority();
    const store = await storeOptions(config, ask);
    const files = ask.options['no-media'] === undefined ? await filesOf(config, ask) : undefined;
    const { at, line } = meter();
    const work = inWorkshop(tablesOf, async (workshop) => {
      const { owners, absent } = await packagesOf(store, async () => files ?? quietFilesOf(config), workshop);
      return writeArchive(path, ask.options.force !== undefined, (sink) =>
        backUp({
          snapshot: (use) => readSnapshot(store, use, owners),
          absent,
          files,
          version: version(),
          now: systemClock(),
          sink,
          note: (said) => ask.note(printable(said)),
          progress: (rows, bytes) => at('Backing up', rows, bytes),
        }),
      );
    });
    const { manifest, end } = await ask.progress.during(line, work);
    await mark(store, ask);
    const from = files === undefined ? '' : ` from ${files.place}`;
    ask.out(printable(`${path} holds ${amount(manifest, end)}${from}.`));
    return 0;
  },
};

/** So that the site knows how old its last archive is. One that is older than this program cannot keep that, and is left alone. */
async function mark(options: StoreOptions, { note }: Ask): Promise<void> {
  try {
    if ((await pendingOf(options)).length > 0) return;
    const store = await openStore(options);
    await setMark(store, 'backup', systemClock()).finally(() => store.close());
  } catch (error) {
    note(printable(`The archive is whole, but the site could not be told of it: ${(error as Error).message}`));
  }
}

/** Looked at before the moment of the backup: loading takes a while. */
async function packagesOf(store: StoreOptions, files: () => Promise<Files | undefined>, workshop: Workshop) {
  return loadPackages(await readSnapshot(store, packagesIn), files, workshop);
}

const quietFilesOf = (config: Config): Promise<Files | undefined> => filesOf(config, { note: () => {} });

/** Nothing where there is no folder: to make one would hide that another was meant. */
async function filesOf({ media, mediaKeys }: Config, { note }: Pick<Ask, 'note'>): Promise<Files | undefined> {
  if (media.kind === 's3' || isThere(media.path)) return openFiles(media, mediaKeys, systemClock);
  const meant = `if the files of the site are elsewhere, say so with --media or ${envOf('media')}`;
  note(printable(`There is no folder ${media.path}, so the archive holds no files; ${meant}.`));
  return undefined;
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // whoever opens it says what is wrong with it
  }
}

function refusePlace(word: string | undefined, path: string, { media }: Config): void {
  if (word === '-') throw new WrongUse('An archive is written to a file, not to standard output; name one.');
  if (media.kind === 'folder' && [path, real(dirname(path))].some((one) => isWithin(one, media.path)))
    throw new WrongUse(`The archive cannot lie among the files it holds; name a place outside ${media.path}.`);
}

const isWithin = (path: string, folder: string): boolean =>
  [folder, real(folder)].some((one) => `${path}${sep}`.startsWith(`${one}${sep}`));

/** Where links lead, as far as there is anything. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
