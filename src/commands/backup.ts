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
  about: `Writes the database and the uploaded files of the site into one archive. The site can keep running. You can restore the
archive into SQLite or PostgreSQL, a folder or an S3 bucket. The archive does not contain the secret of the site. Keep a copy of the
secret in another place: the site cannot be opened without it. The command does not migrate the database, so you can back up before an update.`,
  words: [file],
  options: {
    'no-media': { meaning: 'Do not include the uploaded files' },
    force: { meaning: 'Replace the file if it exists' },
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
    note(
      printable(`The archive is complete, but its date could not be stored in the site: ${(error as Error).message}`),
    );
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
  const meant = `if the files of the site are elsewhere, give their folder with --media or ${envOf('media')}`;
  note(printable(`The folder ${media.path} does not exist, so the archive holds no uploaded files; ${meant}.`));
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
  if (word === '-') throw new WrongUse('An archive cannot be written to standard output; give the name of a file.');
  if (media.kind === 'folder' && [path, real(dirname(path))].some((one) => isWithin(one, media.path)))
    throw new WrongUse(
      `The archive cannot be written into the folder of the uploaded files; name a file outside ${media.path}.`,
    );
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
