// A process that restores an archive and stops right before the first file gets its place. Its arguments: the archive, where the
// database is, as JSON, and the folder of the files.
import { open } from 'node:fs/promises';
import type { Files } from '#site/files/files.ts';
import { openLocalFiles } from '#site/files/local/local.ts';
import { prepareRestore } from '#site/transfer/backup/restore.ts';
import { isInUse } from '#store/restore-lock.ts';
import { everyKind } from './every-kind.ts';

const [archive = '', place = '', folder = ''] = process.argv.slice(2);
const store = { ...JSON.parse(place), tables: [everyKind], log: { info() {}, warn() {}, error() {} } };

function stopping(files: Files): Files {
  const never = () => {
    process.stdout.write('placing\n');
    // The timer holds the promise, and so all that waits for it: what nothing holds is swept away, and the lock with it.
    return new Promise<never>((_, reject) => setInterval(() => reject, 60_000));
  };
  return { ...files, aside: (name) => ({ ...files.aside(name), place: never }) };
}

const { carryOut } = await prepareRestore({
  archive: await open(archive),
  store,
  files: async () => stopping(await openLocalFiles(folder, new Date())),
  secretRemedy: '',
  isInUse: () => isInUse(store),
});
await carryOut();
