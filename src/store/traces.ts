import { AsyncLocalStorage } from 'node:async_hooks';

/** What a piece of work did to the store, seen while it ran. */
export interface Trace {
  readonly tables: ReadonlySet<string>;
  readonly wrote: boolean;
}

interface Growing {
  readonly tables: Set<string>;
  wrote: boolean;
}

/** Follows work across everything it awaits. Nothing that is traced traces in turn. */
export class Traces {
  readonly #current = new AsyncLocalStorage<Growing>();

  async around<R>(work: () => Promise<R>): Promise<Trace & { answer: R }> {
    const trace: Growing = { tables: new Set(), wrote: false };
    const answer = await this.#current.run(trace, work);
    return { answer, ...trace };
  }

  read(tables: Iterable<string>): void {
    const trace = this.#current.getStore();
    if (trace) for (const table of tables) trace.tables.add(table);
  }

  wrote(): void {
    const trace = this.#current.getStore();
    if (trace) trace.wrote = true;
  }
}
