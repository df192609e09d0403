import type { CompiledQuery, QueryResult } from 'kysely';
import type { ClientBase, QueryConfig } from 'pg';
import { Lru } from '#lib/lru.ts';
import { isOutdated } from './failures.ts';

const NAMED = 500;

/** Statements that come back get a name, under which each connection prepares them once. */
export class Statements {
  readonly #seen = new Lru<string, true>(1000);
  readonly #numbers = new Map<string, number>();
  #edition = 0;

  async run(client: ClientBase, query: CompiledQuery, within?: number): Promise<QueryResult<unknown>> {
    const config: QueryConfig & { query_timeout?: number } = { text: query.sql, values: [...query.parameters] };
    const name = this.#nameOf(query.sql);
    if (name) config.name = name;
    if (within) config.query_timeout = within;
    try {
      const { command, rowCount, rows } = await client.query(config);
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] };
    } catch (error) {
      if (name !== undefined && isOutdated(error)) this.#renew(name);
      throw error;
    }
  }

  // A table has other columns than when they were prepared, and where one is outdated others are: all get names that no connection knows.
  #renew(name: string): void {
    if (name.startsWith(`g${this.#edition}.`)) this.#edition += 1;
  }

  // The list is never shortened, because the server keeps what it prepared; what comes once (a long `in (…)`) is not worth a place.
  #nameOf(text: string): string | undefined {
    const number = this.#numbers.get(text) ?? this.#numbered(text);
    return number === undefined ? undefined : `g${this.#edition}.${number}`;
  }

  #numbered(text: string): number | undefined {
    if (this.#numbers.size >= NAMED) return undefined;
    if (!this.#seen.get(text)) {
      this.#seen.set(text, true);
      return undefined;
    }
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
