import { type CompiledQuery, type CreateTableBuilder, sql, type Transaction } from 'kysely';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { type Columns, columnsOf } from './columns.ts';
import type { Engine, EngineName, Log, Run } from './engine.ts';
import { type AnyTables, readingHandle, writingHandle } from './handles.ts';
import { longerPrefixes, NewerPackage, slugOf } from './packaged.ts';
import { StoreProblem } from './problem.ts';
import { tablesOf } from './statements.ts';
import type { Writes } from './writing.ts';

/** How the names of its tables begin; `others`: longer beginnings, of packages whose slugs begin as its own. */
interface Own {
  readonly prefix: string;
  readonly others?: readonly string[] | undefined;
}

const NAMED =
  /\b(?:references|(?:create|alter|drop)\s+table(?:\s+if\s+(?:not\s+)?exists)?|rename\s+to|create\s+(?:unique\s+)?index\b[^(]*?\bon(?:\s+only)?)\s+["`[]?(\w+)/gi;
/** It hides the table of that name, or is empty after a crash. */
const FLEETING = /\bcreate\s+(?:(?:global|local)\s+)?(?:temp|temporary|unlogged)\b/i;

/** Does what it does with its own tables alone. */
async function amongItsOwn(
  engine: Pick<Engine, 'tables'>,
  run: Run,
  own: Own,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const before = new Set(await engine.tables(run));
  await work((query) => {
    refuseForeign(query, own);
    return run(query);
  });
  const after = new Set(await engine.tables(run));
  const foreign = [...before.symmetricDifference(after)].find((name) => !isOwn(name, own));
  if (foreign !== undefined) throw notItsOwn(foreign, own);
}

const isOwn = (name: string, { prefix, others = [] }: Own): boolean =>
  name.startsWith(prefix) && !others.some((longer) => name.startsWith(longer));

function refuseForeign(query: CompiledQuery, own: Own): void {
  if (FLEETING.test(query.sql)) throw new Error('A migration cannot make temporary tables.');
  const named = [...query.sql.matchAll(NAMED)].map(([, name]) => name!);
  const foreign = [...named, ...tablesOf(query).written].find((name) => !isOwn(name.toLowerCase(), own));
  if (foreign !== undefined) throw notItsOwn(foreign, own);
}

const notItsOwn = (name: string, { prefix }: Own): Error =>
  new Error(
    `"${name}" is not a table of this extension. Names of its tables must begin with ${prefix}, and they cannot refer to other tables.`,
  );

/** Somebody who owns tables: the store itself, the site, an extension. */
export interface TableOwner {
  readonly owner: string;
  /** Tables it makes begin so, and refer to no others: of an owner whose program may not be there when rows of others go. */
  readonly prefix?: string;
  /** Beginnings of names that begin so as well, and are of others all the same. */
  readonly others?: readonly string[];
  /** In the order they are applied. Once released, a migration is never changed. */
  readonly migrations: readonly Migration[];
  /** Names of migrations that it does not have, of a later version: it goes on beside what they made. */
  readonly beside?: readonly string[];
  /** Tables whose writes move no change counter: logs, lockout counters. */
  readonly quiet?: readonly string[];
  /** Tables that hold nothing of their own: they are in no backup, and filled from the others once one is put back. */
  readonly derived?: Readonly<Record<string, (tx: Transaction<AnyTables>) => Promise<void>>>;
  /** What no longer holds when a backup is put back: who was at work then is not at work now. */
  restored?(tx: Transaction<AnyTables>): Promise<void>;
}

export interface Migration {
  readonly name: string;
  up(schema: SchemaChange): Promise<void>;
}

/** What a migration works with. It must work on both engines; `column` holds what differs. */
export interface SchemaChange {
  readonly db: Transaction<AnyTables>;
  readonly column: Columns;
  /** For what only one engine needs; ask as little as possible. */
  readonly engine: EngineName;
  /** A new table: `CREATE TABLE`, as strict about types on SQLite as PostgreSQL is. */
  table(name: string): CreateTableBuilder<string>;
}

export interface Applied {
  readonly owner: string;
  readonly name: string;
}

const STORE: TableOwner = {
  owner: 'store',
  migrations: [
    {
      name: '0001-changes',
      up: async ({ table, column }) => {
        await table('changes')
          .addColumn('topic', column.text, (c) => c.notNull())
          .addColumn('slot', column.integer, (c) => c.notNull())
          .addColumn('counter', column.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint('changes_key', ['topic', 'slot'])
          .execute();
      },
    },
  ],
};

interface MigrationsTable {
  migrations: Applied & { applied_at: string };
}

/** Every migration there is, in the order they are applied. Refuses an owner that gives two of them one name, because names say what was applied. */
export const allMigrations = (owners: readonly TableOwner[]): Applied[] =>
  [STORE, ...owners].flatMap(({ owner, migrations }) => {
    const names = migrations.map(({ name }) => name);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice === undefined) return names.map((name) => ({ owner, name }));
    throw new StoreProblem(`Two migrations of ${owner} are called ${twice}`, 'give one of them another name');
  });

/** Those of them that are among `applied`. */
export function inOrder(owners: readonly TableOwner[], applied: readonly Applied[]): Applied[] {
  const done = new Set(applied.map(({ owner, name }) => `${owner}/${name}`));
  return allMigrations(owners).filter(({ owner, name }) => done.has(`${owner}/${name}`));
}

/** The migrations this database still lacks. A database that has some we do not know is newer than this program: refused. */
export async function pendingMigrations(
  engine: Engine,
  owners: readonly TableOwner[],
  run: Run = engine.read,
): Promise<Applied[]> {
  const applied = await appliedMigrations(engine, run);
  refuseNewer(applied, owners, engine);
  const done = new Set(applied.map(({ owner, name }) => `${owner}/${name}`));
  return allMigrations(owners).filter(({ owner, name }) => !done.has(`${owner}/${name}`));
}

/** Brings the database up to date, all of it or nothing. Of processes that start together one migrates, the others find it done. */
export async function migrate(
  engine: Engine,
  writes: Writes,
  owners: readonly TableOwner[],
  log: Log,
): Promise<Applied[]> {
  if ((await pendingMigrations(engine, owners)).length === 0) return [];
  const bounds = { limit: Number.POSITIVE_INFINITY, patience: 300_000 };
  return writes.run<AnyTables & MigrationsTable, Applied[]>(async (tx, { lock }) => {
    await lock('migrations');
    const run: Run = (query) => tx.executeQuery(query);
    const pending = await pendingMigrations(engine, owners, run);
    if (pending.length === 0) return [];
    const isNew = await prepare(engine, tx, log);
    await applyAll(engine, owners, tx, pending);
    const migrations = pending.map(({ owner, name }) => `${owner}/${name}`);
    log.info({ migrations }, isNew ? 'Created the database.' : 'Migrated the database.');
    return pending;
  }, bounds);
}

/** Brings the tables of one more owner up to date while everybody is at work. Of processes that do so together one migrates. */
export async function migrateOwner(engine: Engine, writes: Writes, owner: TableOwner, log: Log): Promise<void> {
  const pendingIn = async (run: Run): Promise<Applied[]> =>
    (await pendingMigrations(engine, [owner], run)).filter((one) => one.owner === owner.owner);
  if ((await pendingIn(engine.read)).length === 0) return;
  await writes.run<AnyTables & MigrationsTable, void>(async (tx, { lock }) => {
    await lock('migrations');
    const run: Run = (query) => tx.executeQuery(query);
    const pending = await pendingIn(run);
    if (pending.length === owner.migrations.length) await refuseTaken(engine, run, owner);
    const all = (await appliedMigrations(engine, run)).map((one) => one.owner);
    await applyAll(engine, [{ ...owner, others: longerPrefixes(owner, all) }], tx, pending);
    log.info({ migrations: pending.map(({ name }) => `${owner.owner}/${name}`) }, 'Created tables of an extension.');
  });
}

/** Tables that somebody else made stay theirs, whatever they are called. */
async function refuseTaken(engine: Engine, run: Run, { owner, prefix }: TableOwner): Promise<void> {
  const taken = prefix === undefined ? undefined : (await engine.tables(run)).find((name) => name.startsWith(prefix));
  if (taken === undefined) return;
  const fault = `The table names of ${owner} would begin with ${prefix}, like ${taken} of another owner`;
  throw new StoreProblem(fault, 'give it another name');
}

/** Whether there was nothing yet. */
async function prepare(engine: Engine, tx: Transaction<AnyTables>, log: Log): Promise<boolean> {
  if (await engine.knows((query) => tx.executeQuery(query), 'migrations')) {
    log.info({}, 'The database has the format of an older version. Migrating it.');
    const copy = await engine.copy();
    if (copy) log.info({ copy }, 'Saved a copy of the database before the migration.');
    return false;
  }
  await makeMigrations(engine, tx);
  return true;
}

/** Where it is written down what was applied. */
export async function makeMigrations(engine: Engine, tx: Transaction<AnyTables>): Promise<void> {
  const { table, column } = schemaChange(engine, tx);
  await table('migrations')
    .addColumn('owner', column.text, (c) => c.notNull())
    .addColumn('name', column.text, (c) => c.notNull())
    .addColumn('applied_at', column.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('migrations_key', ['owner', 'name'])
    .execute();
}

/** One after the other, and written down. */
export async function applyAll(
  engine: Engine,
  owners: readonly TableOwner[],
  tx: Transaction<AnyTables>,
  all: readonly Applied[],
): Promise<void> {
  for (const { owner, name } of all) {
    await apply(engine, owners, tx, { owner, name });
    await tx.insertInto('migrations').values({ owner, name, applied_at: new Date().toISOString() }).execute();
  }
}

/** Does what a migration does, and does not write it down. */
export async function apply(
  engine: Pick<Engine, 'name' | 'dialect' | 'tables'>,
  owners: readonly TableOwner[],
  tx: Transaction<AnyTables>,
  { owner, name }: Applied,
): Promise<void> {
  const found = [STORE, ...owners].find((one) => one.owner === owner);
  const migration = found?.migrations.find((one) => one.name === name);
  try {
    const seen: Run = (query) => {
      refuseUnseen(query.sql);
      return tx.executeQuery(query);
    };
    const up = async (run: Run) => migration?.up(schemaChange(engine, writingHandle<AnyTables>(engine, run)));
    if (found?.prefix === undefined) await up(seen);
    else await amongItsOwn(engine, seen, { prefix: found.prefix, others: found.others }, up);
  } catch (error) {
    if (error instanceof Unavailable || error instanceof OutOfSpace) throw error; // the database failed, not the migration
    const reason = error instanceof Error ? error.message : String(error);
    const slug = slugOf(owner);
    const what = slug === undefined ? `${owner}/${name}` : `${name} of the extension ${slug}`;
    const fault = `The migration ${what} failed, so the database is unchanged: ${reason.replace(/\.$/, '')}`;
    const remedy =
      slug === undefined ? 'report this with the version that you updated from' : 'report this to its author';
    throw new StoreProblem(fault, remedy, { cause: error });
  }
}

const UNSEEN =
  /\bon\s+(?:delete|update)\s+(?:cascade|set\s+(?:null|default))\b|\bcreate\s+(?:or\s+replace\s+)?(?:\w+\s+){0,2}(?:trigger|view|rule|function|procedure)\b/i;

/** Changes are told by the tables that statements name, so nothing may write or read a table that its statement does not name. */
function refuseUnseen(text: string): void {
  const [found] = text.match(UNSEEN) ?? [];
  if (found === undefined) return;
  throw new Error(
    `A migration cannot use "${found.toLowerCase()}", because it changes tables that no statement names; write statements instead.`,
  );
}

function schemaChange({ name: engine }: Pick<Engine, 'name'>, db: Transaction<AnyTables>): SchemaChange {
  return {
    db,
    engine,
    column: columnsOf(engine),
    table: (name) =>
      engine === 'sqlite' ? db.schema.createTable(name).modifyEnd(sql`strict`) : db.schema.createTable(name),
  };
}

/** What was applied to this database, by whomever. */
export async function appliedMigrations(engine: Engine, run: Run): Promise<Applied[]> {
  if (!(await engine.knows(run, 'migrations'))) return [];
  return readingHandle<MigrationsTable>(engine, run).selectFrom('migrations').select(['owner', 'name']).execute();
}

// Tables of an owner who is not active now are left alone: it may come back.
export function refuseNewer(applied: Applied[], owners: readonly TableOwner[], { place }: Engine): void {
  const unknown = applied.find(({ owner, name }) => {
    const known = [STORE, ...owners].find((one) => one.owner === owner);
    return known !== undefined && !known.beside?.includes(name) && !known.migrations.some((one) => one.name === name);
  });
  if (!unknown) return;
  const slug = slugOf(unknown.owner);
  if (slug !== undefined) throw new NewerPackage(slug, unknown.name);
  const what = `${unknown.owner}/${unknown.name}`;
  const fault = `The database ${place} was written by a newer version (it has ${what})`;
  throw new StoreProblem(fault, 'start that version, or restore an older copy');
}
