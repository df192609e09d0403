import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { Lru } from '#lib/lru.ts';

const STATEMENTS = 500;

interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
}

/** One connection to the file, its statements prepared once. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Lru<string, Prepared>(STATEMENTS);

  constructor(path: string, options: { readOnly?: boolean; wait: number }) {
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: options.wait });
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Several statements at once, for their effect. */
  exec(statements: string): void {
    this.#database.exec(statements);
  }

  /** One statement without an answer, prepared once. */
  do(text: string): void {
    this.#prepare(text).statement.run();
  }

  rows(text: string, ...parameters: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepare(text).statement.all(...parameters);
  }

  /** The rows one by one, prepared for this once: a statement that is being read serves nobody else. */
  each(text: string): Iterable<Record<string, unknown>> {
    return this.#database.prepare(text).iterate();
  }

  /** What a pragma answers. */
  pragma(name: string): unknown {
    return Object.values(this.rows(`PRAGMA ${name}`)[0] ?? {})[0];
  }

  run({ sql, parameters, query }: CompiledQuery): QueryResult<unknown> {
    const { statement, answersRows } = this.#prepare(sql);
    // node:sqlite binds every number as a real one; a whole number must arrive as a whole number, as on PostgreSQL.
    const values: SQLInputValue[] = [];
    for (const value of parameters)
      values.push(Number.isSafeInteger(value) ? BigInt(value as number) : (value as SQLInputValue));
    if (answersRows) {
      const rows = statement.all(...values);
      return query.kind === 'SelectQueryNode' ? { rows } : { rows, numAffectedRows: BigInt(rows.length) };
    }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    const prepared = { statement, answersRows: statement.columns().length > 0 };
    // What it writes is told with the number of the last row anywhere, and those of a search index do not fit a number.
    if (!prepared.answersRows) statement.setReadBigInts(true);
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
