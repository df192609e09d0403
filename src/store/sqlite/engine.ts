import { statSync } from 'node:fs';
import {
  CompiledQuery,
  type Dialect,
  DummyDriver,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Committed, Ended, Engine, Look, Run, View } from '../engine.ts';
import type { EngineFigures } from '../figures.ts';
import { stopping } from '../problem.ts';
import { codeOf, translate } from './failures.ts';
import { WriteGroup } from './group.ts';
import { type Connections, openFile, sentence } from './open.ts';
import { isBeingRestored } from './restoring.ts';
import { inSnapshot, loosely, saveCopy, startAbove } from './snapshot.ts';
import { Turns } from './turns.ts';

const LOOKING = 200; // ms between two looks at whether another process committed

/** Whoever writes has all rows to itself, so to take some of them is nothing to be said. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }
}

export const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new Compiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
};

/** SQLite in this process: one connection that writes, one that reads what is committed. */
export class SqliteEngine implements Engine {
  readonly name = 'sqlite';
  readonly dialect = dialect;
  readonly slot = sql.lit(0); // there is one writer
  readonly place: string;
  readonly #connections: Connections;
  readonly #group: WriteGroup;
  #closed = false;

  constructor(path: string) {
    this.place = path;
    this.#connections = openFile(path);
    this.#group = new WriteGroup(this.#connections.writer, new Turns(path));
  }

  read: Run = async (query: CompiledQuery) => {
    if (this.#closed) throw stopping();
    try {
      return this.#connections.reader.run(query);
    } catch (error) {
      throw translate(error);
    }
  };

  async transact<R>(work: (run: Run) => Promise<Ended<R>>, patience?: number): Promise<Committed<R>> {
    if (this.#closed) throw stopping();
    return this.#group.add(async (run) => {
      const { value, last } = await work(run);
      return { value, rows: last ? (await run(last)).rows : [] };
    }, patience);
  }

  snapshot<R>(work: (view: View) => Promise<R>): Promise<R> {
    return inSnapshot(this.place, work);
  }

  isBeingRestored = async () => isBeingRestored(this.place);
  loosely = loosely;
  startAbove: Engine['startAbove'] = (run, table, _, highest) => startAbove(run, table, highest);

  async knows(run: Run, table: string): Promise<boolean> {
    const text = "select 1 from sqlite_schema where type = 'table' and name = ?";
    return (await run(CompiledQuery.raw(text, [table]))).rows.length > 0;
  }

  async tables(run: Run): Promise<string[]> {
    const text = `select l.name from pragma_table_list l join sqlite_schema s using (name)
      where l.schema = 'main' and l.type in ('table', 'virtual') and l.name not like 'sqlite\\_%' escape '\\'
      order by s.rowid desc`;
    return (await run(CompiledQuery.raw(text))).rows.map((row) => (row as { name: string }).name);
  }

  async drop(run: Run, tables: readonly string[]): Promise<void> {
    await run(CompiledQuery.raw('pragma defer_foreign_keys = on')); // until this transaction ends
    for (const name of tables) await run(CompiledQuery.raw(`drop table if exists "${name}"`));
  }

  async lock(): Promise<void> {}
  async share(): Promise<void> {}

  tell(): void {} // they see that the file changed

  async follow(look: Look): Promise<() => Promise<void>> {
    const { reader } = this.#connections;
    let seen = reader.pragma('data_version');
    const looking = async () => {
      try {
        const version = reader.pragma('data_version');
        if (version === seen) return;
        await look.again();
        seen = version;
      } catch {
        look.deaf(); // the disk is away; a later look may find it back
        seen = undefined;
      }
    };
    const timer = setInterval(() => void looking(), LOOKING);
    timer.unref();
    await look.again(); // what moved between loading the counters and following
    return async () => clearInterval(timer);
  }

  async mayMigrate(): Promise<void> {} // a file that may not be written is not opened

  explain(error: unknown): unknown {
    return sentence(error, this.place);
  }

  async copy(): Promise<string> {
    return saveCopy(this.place, new Date());
  }

  async check(): Promise<string[]> {
    const { reader } = this.#connections;
    try {
      const wrong = reader.rows('PRAGMA integrity_check').map((row) => String(row.integrity_check));
      const dangling = reader
        .rows('PRAGMA foreign_key_check')
        .map(({ table, rowid }) => `Row ${rowid} of ${table} refers to a row that does not exist.`);
      return [...wrong.filter((line) => line !== 'ok'), ...dangling];
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return [`The database cannot be read: ${(error as Error).message}.`];
    }
  }

  async release(): Promise<string> {
    const { rows } = await this.read(CompiledQuery.raw('select sqlite_version() as number'));
    return `SQLite ${(rows[0] as { number: string }).number}`;
  }

  size = async (): Promise<number> => bytesOf(this.place);

  figures(): EngineFigures {
    return { commits: this.#group.commits, bytes: bytesOf(this.place) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#group.settled();
    this.#connections.reader.close();
    this.#connections.writer.close();
  }
}

const bytesOf = (place: string): number =>
  ['', '-wal'].reduce((sum, end) => sum + (statSync(`${place}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0);
