// Which tables there are, found by making them: what the migrations say is said once.
import { CompiledQuery } from 'kysely';
import type { Kind, Shape } from './engine.ts';
import { type AnyTables, writingHandle } from './handles.ts';
import { type Applied, apply, type TableOwner } from './migrate.ts';
import { Connection } from './sqlite/connection.ts';
import { dialect } from './sqlite/engine.ts';

const kinds: Readonly<Record<string, Kind>> = { INTEGER: 'integer', REAL: 'real', TEXT: 'text', BLOB: 'bytes' };

/** The tables these migrations make, in the order they make them; derived ones are not among them. */
export async function plannedTables(owners: readonly TableOwner[], applied: readonly Applied[]): Promise<Shape[]> {
  const memory = new Connection(':memory:', { wait: 0 });
  try {
    const engine = { name: 'sqlite', dialect, tables: async () => tablesOf(memory) } as const;
    const tx = writingHandle<AnyTables>(engine, async (query) => memory.run(query));
    for (const one of applied) await apply(engine, owners, tx, one);
    const derived = derivedTables(owners);
    return tablesOf(memory)
      .filter((name) => !derived.includes(name))
      .map((name) => shapeOf(memory, name));
  } finally {
    memory.close();
  }
}

/** Those of packages as well, which say whose they are. Each is looked at alone: they refer to no others. */
export async function tablesWithPackages(
  owners: readonly TableOwner[],
  packages: readonly TableOwner[],
  applied: readonly Applied[],
): Promise<Shape[]> {
  const tables = await plannedTables(owners, applied);
  for (const one of packages) {
    const own = await plannedTables(
      [one],
      applied.filter(({ owner }) => owner === one.owner),
    );
    tables.push(...own.map((shape) => ({ ...shape, owner: one.owner })));
  }
  return tables;
}

export const derivedTables = (owners: readonly TableOwner[]): string[] =>
  owners.flatMap(({ derived = {} }) => Object.keys(derived));

function tablesOf(memory: Connection): string[] {
  const text = `select l.name from pragma_table_list l join sqlite_schema s using (name)
    where l.schema = 'main' and l.type = 'table' and l.name not like 'sqlite\\_%' escape '\\' order by s.rowid`;
  return memory.rows(text).map(({ name }) => String(name));
}

function shapeOf(memory: Connection, name: string): Shape {
  const columns = memory.rows('select name, type from pragma_table_info(?) order by cid', name);
  const [made] = memory.rows("select sql from sqlite_schema where type = 'table' and name = ?", name);
  return {
    name,
    columns: columns.map((column) => ({ name: String(column.name), kind: kindOf(name, String(column.type)) })),
    numbered: /"(\w+)" integer primary key autoincrement/i.exec(String(made?.sql))?.[1],
  };
}

function kindOf(table: string, type: string): Kind {
  const kind = kinds[type.toUpperCase()];
  if (kind === undefined)
    throw new Error(`The table ${table} has a column of the type ${type}, which backups do not support.`);
  return kind;
}

/** Some row of any of these tables. */
export const anyRow = (table: string): CompiledQuery => CompiledQuery.raw(`select 1 from "${table}" limit 1`);
