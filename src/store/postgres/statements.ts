import type { CompiledQuery, QueryResult } from 'kysely';
import type { ClientBase, QueryConfig } from 'pg';
import { Lru } from '#lib/lru.ts';

const NAMED = 500;

/** Statements that come back get a name, under which each connection prepares them once. */
export class Statements {
  readonly #seen = new Lru<string, true>(1000);
  readonly #names = new Map<string, string>();

  async run(client: ClientBase, query: CompiledQuery, within?: number): Promise<QueryResult<unknown>> {
    const config: QueryConfig & { query_timeout?: number } = { text: query.sql, values: [...query.parameters] };
    const name = this.#nameOf(query.sql);
    if (name) config.name = name;
    if (within) config.query_timeout = within;
    const { command, rowCount, rows } = await client.query(config);
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] };
  }

  // The list is never shortened, because the server keeps what it prepared; what comes once (a long `in (…)`) is not worth a place.
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= NAMED) return known;
    if (!this.#seen.get(text)) {
      this.#seen.set(text, true);
      return undefined;
    }
    const name = `g${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
