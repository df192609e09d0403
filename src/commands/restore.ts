import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Ask, type Command, Failed, given } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { openFiles } from '#site/files/open.ts';
import { systemClock } from '#site/platform/clock.ts';
import { secretFile } from '#site/platform/keys.ts';
import { openArchive } from '#site/transfer/backup/file.ts';
import { inWorkshop } from '#site/transfer/backup/packages.ts';
import { type Prepared, prepareRestore, refuseInUse } from '#site/transfer/backup/restore.ts';
import { isInUse } from '#store/restore-lock.ts';
import { tablesOf } from '../boot/installed-packages.ts';
import { type Config, envOf } from '../config.ts';
import { amount, file, meter, origin } from './archive.ts';
import { storeOptions } from './options.ts';
import { ownSecret } from './secret.ts';

export const command: Command = {
  name: 'restore',
  about: `Restores a site from an archive, into SQLite or PostgreSQL. The command first reads the whole archive and checks the secret.
Then it changes the database completely or not at all. If a site exists already, the command needs --force to replace it, and the site
must be stopped.`,
  words: [file],
  options: {
    force: { meaning: 'Replace the existing site' },
    'leave-out': { meaning: 'Do not restore the tables of this extension', value: 'SLUG', many: true },
    yes,
  },
  run: async (ask) => {
    const config = ask.config();
    const consent = ask.options.force === undefined ? undefined : consentOf(ask);
    const archive = await openArchive(ask.path(given(ask.words, file.name)));
    try {
      const { at, line } = meter();
      const told = ask.progress.ofBusyWork((doing) => doing.replace(/: .*/, ''));
      const progress: typeof at = (...now) => {
        at(...now);
        told.at(line());
      };
      await inWorkshop(tablesOf, async (workshop) => {
        const options = { ...(await optionsOf(config, ask, archive, progress)), workshop };
        const prepared = await told.during(prepareRestore(options));
        await mayReplace(prepared, config, () => refuseInUse(options), consent);
        await told.during(prepared.carryOut());
        for (const said of toSay(prepared, config, options.leaveOut)) ask.out(said);
      });
    } finally {
      await archive.close();
    }
    return 0;
  },
};

async function optionsOf(config: Config, ask: Ask, archive: FileHandle, progress: ReturnType<typeof meter>['at']) {
  const store = await storeOptions(config, ask);
  const leaveOut = ask.lists['leave-out'] ?? [];
  return { archive, store, leaveOut, isInUse: () => isInUse(store), progress, ...elsewhere(config) };
}

const elsewhere = (config: Config) => ({
  files: () => openFiles(config.media, config.mediaKeys, systemClock),
  secret: config.secret ?? (existsSync(secretFile(config.data)) ? ownSecret(config.data) : undefined),
  secretRemedy: `give the secret of the backed-up site as ${envOf('secret')}, or put its file at ${secretFile(config.data)}`,
});

async function mayReplace(
  { standing }: Prepared,
  { data, database }: Config,
  refuseInUse: () => Promise<void>,
  consent: ((question: string) => Promise<void>) | undefined,
): Promise<void> {
  if (!standing.database && !standing.files) return refuseInUse();
  const what = standing.database ? `There is a site in ${database ? 'this database' : data}` : 'There are files';
  const where = standing.database ? what : `${what} in the place for the uploaded files`;
  if (consent === undefined) throw new Failed(`${where} already; add --force to replace it.`);
  await refuseInUse();
  await consent(`${where} already. Replace it with the archive?`);
}

function toSay({ manifest, end, waiting }: Prepared, config: Config, leftOut: readonly string[]): string[] {
  return [
    `Restored ${amount(manifest, end)} from the backup ${origin(manifest)}.`,
    ...(manifest.media ? [] : ['The archive holds no uploaded files; the files of the site are unchanged.']),
    ...leftOut.map((slug) => `Left out the tables of the extension ${slug}.`),
    ...(waiting.message > 0 ? [`${waits(waiting.message, 'message')} sent once the site serves. ${waysOut}`] : []),
    ...(waiting.digest > 0 ? [`${waits(waiting.digest, 'digest')} sent when due. ${noWayOut}`] : []),
    ...secretToGive(config),
  ];
}

const waits = (many: number, what: string): string => {
  const [subject, verb] = many === 1 ? [`A ${what}`, 'is'] : [`${many} ${what}s`, 'are'];
  return `${subject} that waited when the backup was made ${verb}`;
};
const waysOut =
  '`gatehouse jobs list --kind mail.deliver --status queued` lists the queued messages, and `gatehouse jobs cancel ID` cancels one.';
const noWayOut = `It cannot be canceled; without ${envOf('smtp')} the site writes it to a file.`;

/** The secret that was given for the restore is kept nowhere: a start without it would find a database and nothing that opens it. */
function secretToGive({ secret, data, database }: Config): string[] {
  if (secret === undefined || (database === undefined && existsSync(secretFile(data)))) return [];
  const give = `Give ${envOf('secret')} to every start and command of this site, as you did here`;
  return [database === undefined ? `${give}, or write it into ${secretFile(data)} (chmod 600).` : `${give}.`];
}
