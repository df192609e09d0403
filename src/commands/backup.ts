import { constants, setPriority } from 'node:os';
import { resolve, sep } from 'node:path';
import { backUp } from '#site/backup/backup.ts';
import { writeArchive } from '#site/backup/file.ts';
import { systemClock } from '#site/clock.ts';
import { openFiles } from '#site/files/open.ts';
import { readSnapshot } from '#store/snapshot.ts';
import { type Config, readConfig } from '../config.ts';
import { version } from '../version.ts';
import { amount, file, meter } from './archive.ts';
import { type Command, Failed, given, WrongUse } from './command.ts';
import { dataSettings, noSite } from './opened.ts';
import { holdsNothing, storeOptions } from './options.ts';
import { showing } from './progress.ts';

export const command: Command = {
  name: 'backup',
  about: `Writes the site as it is now, its rows and its files, into one archive, while it serves. The same archive goes back into
SQLite or PostgreSQL, a folder or an object store. It holds the keys of the site as they are wrapped by its secret, and never the
secret: keep that apart. The database is not brought up to date, so a backup can be made before an upgrade.`,
  settings: [...dataSettings, 'media'],
  words: [file],
  options: {
    'no-media': { meaning: 'Leave the files out' },
    force: { meaning: 'Replace the file if it is there' },
  },
  run: async (ask) => {
    const config = readConfig(ask);
    const path = resolve(given(ask.words, 'file'));
    const media = ask.options['no-media'] === undefined;
    refusePlace(ask.words.file, path, config);
    if (await holdsNothing(config, ask)) throw new Failed(noSite(config));
    beModest();
    const store = await storeOptions(config, ask);
    const files = media ? await openFiles(config.media, config.mediaKeys, systemClock) : undefined;
    const { at, line } = meter();
    const work = writeArchive(path, ask.options.force !== undefined, (sink) =>
      backUp({
        snapshot: (use) => readSnapshot(store, use),
        files,
        version: version(),
        now: systemClock(),
        sink,
        note: ask.note,
        progress: (rows, bytes) => at('Backing up', rows, bytes),
      }),
    );
    const { manifest, end } = await showing(line, work);
    ask.out(`${path} holds ${amount(manifest, end)}.`);
    return 0;
  },
};

function refusePlace(word: string | undefined, path: string, { media }: Config): void {
  if (word === '-') throw new WrongUse('An archive is written to a file, not to standard output; name one.');
  if (media.kind === 'folder' && `${path}${sep}`.startsWith(`${media.path}${sep}`))
    throw new WrongUse(`The archive cannot lie among the files it holds; name a place outside ${media.path}.`);
}

/** Whoever asks the site for something goes first. */
function beModest(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // then side by side
  }
}
