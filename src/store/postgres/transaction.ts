import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Run } from '../engine.ts';
import { withDeadline } from './client.ts';
import { away, passedOver, translateWrite } from './failures.ts';
import type { Statements } from './statements.ts';

const UNDO_LIMIT = 2000;

/**
 * BEGIN goes out together with the first statement and COMMIT with the last: two waits less. A statement whose BEGIN failed is
 * refused, because it is not said to write; a COMMIT whose last statement failed undoes.
 */
export class Transaction {
  readonly #client: pg.PoolClient & Pick<pg.Client, 'connection'>;
  readonly #statements: Statements;
  #begun: Promise<void> | undefined;
  #isEnding = false;

  constructor(client: pg.PoolClient, statements: Statements) {
    this.#client = client as pg.PoolClient & pg.Client; // every connection of a pool is one
    this.#statements = statements;
  }

  /** Whether it was asked to be kept: then nobody knows whether it was, should the connection be lost. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  run: Run = (query) => (this.#begun ? this.#ask(query) : this.#first(query));

  async commit(last: CompiledQuery | undefined): Promise<readonly unknown[]> {
    if (!this.#begun && !last) return [];
    await this.#begun;
    this.#isEnding = true;
    const [ended] = await Promise.all(this.#together(() => [last && this.run(last), this.#end()] as const));
    return ended?.rows ?? [];
  }

  /** False: the connection is of no use any more. Closing it makes the server undo. */
  async undo(): Promise<boolean> {
    if (!this.#begun) return true;
    try {
      await withDeadline(this.#client, UNDO_LIMIT, () => this.#client.query('rollback'));
      return true;
    } catch {
      return false;
    }
  }

  #first(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return this.#together(() => {
      this.#begun = this.#begin();
      this.#begun.catch(() => {}); // heard of at the end, or from the statement
      return this.#ask(query);
    });
  }

  // Nothing the work does can make it fail: then the database takes no writes just now.
  async #begin(): Promise<void> {
    try {
      await this.#client.query('begin read write');
    } catch (error) {
      throw away(error);
    }
  }

  // Only what the database said is put into our words: what the work itself throws passes as it is.
  async #ask(query: CompiledQuery): Promise<QueryResult<unknown>> {
    try {
      return await this.#statements.run(this.#client, query);
    } catch (error) {
      throw translateWrite(error);
    }
  }

  // PostgreSQL answers COMMIT with ROLLBACK when a statement of the transaction failed and nobody said so.
  async #end(): Promise<void> {
    const { command } = await this.#client.query('commit').catch((error) => {
      throw translateWrite(error);
    });
    if (command === 'ROLLBACK') throw passedOver();
  }

  /** In one packet: to the system, each costs more than what is in it. */
  #together<R>(send: () => R): R {
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }
}
