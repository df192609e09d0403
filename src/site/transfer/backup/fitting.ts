// Whether this program, this secret and this database can take what an archive holds.
import type { EngineName } from '#store/engine.ts';
import { type Applied, allMigrations, type TableOwner } from '#store/migrate.ts';
import { slugOf } from '#store/packaged.ts';
import { tablesWithPackages } from '#store/planned.ts';
import { opensKeys } from '../../platform/keys.ts';
import { notKept } from './backup.ts';
import { ArchiveProblem, damaged, highestNumber, type Manifest, type TableEntry } from './format.ts';
import type { Row } from './rows.ts';

type Known = ReadonlyMap<string, Applied>;

const migrationsOf = (owners: readonly TableOwner[]): Known =>
  new Map(allMigrations(owners).map((one) => [`${one.owner}/${one.name}`, one]));

/** What can be said before more than the manifest is read. Packages are known later. */
export function refuseForeign(manifest: Manifest, owners: readonly TableOwner[]): void {
  const known = migrationsOf(owners);
  const foreign = manifest.migrations.find((name) => slugOf(ownerOf(name)) === undefined && !known.has(name));
  if (foreign !== undefined) refuseUnknown(foreign, known);
}

interface Fit {
  /** Those of the program. */
  readonly owners: readonly TableOwner[];
  readonly packages: readonly TableOwner[];
  /** Owners whose tables are not put back. */
  readonly leftOut: ReadonlySet<string>;
}

/** The migrations of what is put back, all of which are known here and which make exactly the tables of the archive. */
export async function fitting(manifest: Manifest, { owners, packages, leftOut }: Fit): Promise<Applied[]> {
  const known = migrationsOf([...owners, ...packages]);
  const names = manifest.migrations.filter((name) => !leftOut.has(ownerOf(name)));
  const migrations = names.map((name) => known.get(name) ?? refuseUnknown(name, known));
  const planned = (await tablesWithPackages(owners, packages, migrations)).filter(({ name }) => !notKept.has(name));
  const there = manifest.tables.filter(({ owner }) => owner === undefined || !leftOut.has(owner));
  const [wanted, given] = [planned, there].map((tables) => tables.map(lookOf).sort());
  const unknown = given?.find((one) => !wanted?.includes(one));
  const lacking = wanted?.find((one) => !given?.includes(one));
  const odd = unknown ?? lacking;
  if (odd !== undefined) throw damaged(`its tables differ from the tables of its version (${odd.split(' ')[0]})`);
  return migrations;
}

const ownerOf = (migration: string): string => migration.split('/')[0] ?? '';

function refuseUnknown(migration: string, known: Known): never {
  const owner = ownerOf(migration);
  if ([...known.values()].some((one) => one.owner === owner))
    throw new ArchiveProblem(
      `The archive was written by a newer version (it has ${migration}); use that version or a later one.`,
    );
  throw new ArchiveProblem(
    `The archive holds tables of ${owner}, which this version of Gatehouse does not have; add ${owner} first.`,
  );
}

const lookOf = ({ name, columns, numbered, owner }: Omit<TableEntry, 'highest'>): string =>
  [name, owner ?? '', numbered ?? '', ...columns.map((column) => `${column.name}:${column.kind}`).sort()].join(' ');

export interface Keys {
  readonly name: string;
  readonly wrapped: string;
}

/** More than any site has. */
const mostKeys = 100;

/** Takes the wrapped keys out of the rows that go by. */
export function gatherKey(keys: Keys[], { name, wrapped }: Row, table: TableEntry): void {
  if (table.name !== 'keys' || keys.length >= mostKeys) return;
  keys.push({ name: String(name), wrapped: String(wrapped) });
}

export function refuseWrongSecret(keys: readonly Keys[], secret: string | undefined, remedy: string): void {
  if (keys.length === 0 || (secret !== undefined && opensKeys(secret, keys))) return;
  const why = secret === undefined ? 'The secret is missing' : 'The secret does not decrypt the keys in the archive';
  throw new ArchiveProblem(`${why}; ${remedy}.`);
}

/** PostgreSQL has no text with a zero byte in it, SQLite no number that is none; and neither a number after the last. */
export function refuseUnkeepable(row: Row, { name, columns, numbered }: TableEntry, engine: EngineName): void {
  if (numbered !== undefined && Number(row[numbered]) > highestNumber)
    throw damaged(`a row of ${name} has the largest possible id, so new rows could not get one`);
  for (const column of columns) {
    const value = row[column.name];
    const where = `A row of ${name} in the archive has in ${column.name}`;
    if (engine === 'postgres' && typeof value === 'string' && value.includes('\0'))
      throw new ArchiveProblem(
        `${where} a zero byte, which PostgreSQL cannot store; restore into SQLite and correct it there.`,
      );
    if (engine === 'sqlite' && Number.isNaN(value))
      throw new ArchiveProblem(
        `${where} NaN, which SQLite cannot store; restore into PostgreSQL and correct it there.`,
      );
  }
}
