// What is in a database at one moment, as whoever knows its tables reads it.
import type { Row, Shape, View } from './engine.ts';
import { type Applied, inOrder, type TableOwner } from './migrate.ts';
import { tablesWithPackages } from './planned.ts';

export interface Contents {
  /** What was applied, in order. */
  readonly migrations: readonly Applied[];
  /** Owners of tables whom this program does not know; their tables are not here. */
  readonly strangers: readonly string[];
  readonly tables: readonly Shape[];
  /** One after the other: whatever comes next is asked for once the last is read to its end. */
  rows(table: Shape): AsyncIterable<Row>;
  /** The highest number that a numbered table ever gave. */
  highest(table: Shape): Promise<number | undefined>;
}

export async function contentsOf(
  view: View,
  owners: readonly TableOwner[],
  packages: readonly TableOwner[],
  applied: readonly Applied[],
): Promise<Contents> {
  const known = packages.filter((one) => knowsAll(one, applied));
  const migrations = inOrder([...owners, ...known], applied);
  const strangers = applied.filter(({ owner }) => !migrations.some((one) => one.owner === owner));
  return {
    migrations,
    strangers: [...new Set(strangers.map(({ owner }) => owner))],
    tables: await tablesWithPackages(owners, known, migrations),
    rows: view.rows,
    highest: async ({ name, numbered }: Shape) => (numbered === undefined ? undefined : view.highest(name, numbered)),
  };
}

/** A package that was put back to an older version does not know what its tables look like by now. */
const knowsAll = ({ owner, migrations }: TableOwner, applied: readonly Applied[]): boolean =>
  applied.every((one) => one.owner !== owner || migrations.some(({ name }) => name === one.name));
