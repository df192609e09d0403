// A site made from an archive. What is asked and refused comes first; then what is there is replaced.
import type { FileHandle } from 'node:fs/promises';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Applied, TableOwner } from '#store/migrate.ts';
import { StoreProblem } from '#store/problem.ts';
import { type Filling, filesPlaced, refillStore } from '#store/refill.ts';
import { isBeingRestored, restoreLock } from '#store/restore-lock.ts';
import { holdsRows } from '#store/snapshot.ts';
import type { StoreOptions } from '#store/store.ts';
import { waitingAs } from '../../email/mail.ts';
import type { Files } from '../../files/files.ts';
import { ArchivedPackages } from './archived.ts';
import { fitting, gatherKey, type Keys, refuseForeign, refuseUnkeepable, refuseWrongSecret } from './fitting.ts';
import { ArchiveProblem, type TableEntry } from './format.ts';
import { hasFiles } from './media.ts';
import type { Workshop } from './packages.ts';
import { type Inspected, inspect, parts } from './parts.ts';
import { lost, replace } from './replacing.ts';

interface RestoreOptions {
  readonly archive: FileHandle;
  readonly store: StoreOptions;
  /** Asked for when everything that can be refused before is not. */
  readonly files: () => Promise<Files>;
  /** Where packages of the archive are loaded for the tables that they have in it; without it these are refused. */
  readonly workshop?: Workshop;
  /** Slugs of packages whose tables are not put back. */
  readonly leaveOut?: readonly string[];
  readonly secret?: string | undefined;
  /** What helps when the secret is missing or wrong. */
  readonly secretRemedy: string;
  /** Whether another process works with the database. Asked right before it changes, and whenever somebody likes to know earlier. */
  isInUse(): Promise<boolean>;
  progress?(doing: string, rows: number, bytes: number): void;
}

/** What is where the archive is to go. */
interface Standing {
  readonly database: boolean;
  readonly files: boolean;
}

export interface Prepared extends Inspected {
  readonly standing: Standing;
  /** What waited when the backup was made: the site sends messages as soon as it serves, and digests when they are due. */
  readonly waiting: { readonly message: number; readonly digest: number };
  /** Replaces what was there when it was looked at, and nothing that came since. */
  carryOut(): Promise<void>;
}

/** Reads the whole archive and looks at where it is to go. Nothing is changed yet. */
export async function prepareRestore(options: RestoreOptions): Promise<Prepared> {
  const { archive, store } = options;
  const engine = store.database ? 'postgres' : 'sqlite';
  const keys: Keys[] = [];
  const paths = new Paths();
  const archived = new ArchivedPackages(options.workshop, options.leaveOut);
  const { leftOut } = archived;
  const waiting = { message: 0, digest: 0 };
  const inspected = await inspect(archive, {
    manifest: (manifest) => {
      refuseForeign(manifest, store.tables);
      archived.manifest(manifest);
    },
    row: (row, table) => {
      if (isLeftOut(table, leftOut)) return;
      archived.row(row, table);
      gatherKey(keys, row, table);
      const waits = waitingAs(table.name, row);
      if (waits !== undefined) waiting[waits] += 1;
      refuseUnkeepable(row, table, engine);
    },
    file: (file, content) => {
      paths.add(file.path);
      return archived.file(file, content);
    },
    progress: (rows, bytes) => options.progress?.('Checking the archive', rows, bytes),
  });
  refuseWrongSecret(keys, options.secret, options.secretRemedy);
  if (await isBeingRestored(store)) throw another(); // before the place of the files is opened, which sweeps there
  const packages = await archived.owners(options.files);
  const migrations = await fitting(inspected.manifest, { owners: store.tables, packages, leftOut });
  const database = await holdsRows(store);
  const files = inspected.manifest.media ? await options.files() : undefined;
  if (files !== undefined && !files.takesBoth) paths.refuseBoth();
  const standing = {
    database,
    files: files !== undefined && (await hasFiles(files)),
  };
  return {
    ...inspected,
    standing,
    waiting,
    carryOut: () =>
      alone(options, (isAlone) =>
        carryOut(options, { ...inspected, migrations, packages, leftOut, standing, files }, isAlone),
      ),
  };
}

const isLeftOut = ({ owner }: TableEntry, leftOut: ReadonlySet<string>): boolean =>
  owner !== undefined && leftOut.has(owner);

/** One restore at a time, to the last of its files, and meanwhile nobody opens the site. */
async function alone({ store }: RestoreOptions, work: (isAlone: () => Promise<boolean>) => Promise<void>) {
  const lock = await restoreLock(store);
  if (lock === undefined) throw another();
  try {
    await work(lock.isHeld);
  } finally {
    await lock.release();
  }
}

const another = () =>
  new ArchiveProblem('Another restore of this site is running, so nothing was changed; wait until it has ended.');

interface Known extends Inspected {
  readonly migrations: readonly Applied[];
  readonly packages: readonly TableOwner[];
  readonly leftOut: ReadonlySet<string>;
  readonly standing: Standing;
  /** None when the archive holds none. */
  readonly files: Files | undefined;
}

async function carryOut(
  options: RestoreOptions,
  { end, migrations, packages, leftOut, standing, files }: Known,
  isAlone: () => Promise<boolean>,
): Promise<void> {
  const { archive, store } = options;
  const refill = async () => {
    await refuseInUse(options);
    if (!(await isAlone())) throw new ArchiveProblem(`${lost}, so nothing was changed; run the same restore again.`);
    await refillStore(store, {
      migrations,
      packages,
      taken: standing.database ? undefined : taken,
      filesFollow: files !== undefined,
      fill: (filling) => fill(options, leftOut, filling),
      progress: (doing, rows) => options.progress?.(doing, rows, 0),
    });
  };
  if (files === undefined) return refill();
  const progress = (bytes: number) => options.progress?.('Restoring files', 0, bytes);
  const replaces = standing.database || standing.files;
  await replace({ files, archive, end, replaces, refill, isAlone, finish: () => filesPlaced(store), progress });
}

export async function refuseInUse({ isInUse }: Pick<RestoreOptions, 'isInUse'>): Promise<void> {
  if (!(await isInUse())) return;
  throw new ArchiveProblem('Another process uses this site; stop all processes of the site first.');
}

const taken = () =>
  new ArchiveProblem('The database holds a site now, so nothing was changed; add --force to replace it.');

async function fill(
  { archive, progress }: RestoreOptions,
  leftOut: ReadonlySet<string>,
  filling: Filling,
): Promise<void> {
  const tables: TableEntry[] = [];
  let count = 0;
  for await (const part of parts(archive)) {
    if (part.is === 'manifest') tables.push(...part.manifest.tables.filter((table) => !isLeftOut(table, leftOut)));
    if (part.is === 'file' || part.is === 'end') break;
    if (part.is !== 'rows' || isLeftOut(part.table, leftOut)) continue;
    const { table } = part;
    await inserted(table, () => filling.insert(table.name, part.rows()));
    count += part.rows().length;
    progress?.('Restoring rows', count, 0);
  }
  for (const { name, numbered, highest = 0 } of tables)
    if (numbered !== undefined) await filling.startAbove(name, numbered, highest);
}

/** A whole archive can still hold what no database takes, if it was made by hand. */
async function inserted(table: TableEntry, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Unavailable || error instanceof OutOfSpace || error instanceof StoreProblem) throw error;
    const reason = (error as Error).message.replace(/\.$/, '');
    const message = `The database refused the rows of ${table.name}, so it is unchanged: ${reason}.`;
    throw new ArchiveProblem(message, { cause: error });
  }
}

/** The paths of files as they go by, in the order of their bytes; of these only what a folder of this machine cannot have is kept. */
class Paths {
  /** Each begins the one after it. */
  #beginnings: string[] = [];
  #both: string | undefined;

  add(path: string): void {
    while (this.#beginnings.length > 0 && !path.startsWith(this.#beginnings.at(-1)!)) this.#beginnings.pop();
    this.#both ??= this.#beginnings.find((one) => path.startsWith(`${one}/`));
    this.#beginnings.push(path);
  }

  /** A file and a folder of one path are two things to an object store only. */
  refuseBoth(): void {
    if (this.#both === undefined) return;
    throw new ArchiveProblem(
      `The archive holds a file ${this.#both} and a folder with the same path, which a local folder cannot store; restore into an S3 bucket and rename one of them there.`,
    );
  }
}
