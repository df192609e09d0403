// Which tables a piece of work reads, for those who keep what it answers.
import type { Ambient } from '#lib/ambient.ts';

/** What a piece of work did to the store, seen while it ran. */
export interface Trace {
  readonly tables: ReadonlySet<string>;
  readonly wrote: boolean;
}

interface Growing {
  readonly tables: Set<string>;
  wrote: boolean;
}

export interface TraceFacts {
  readonly trace: Growing;
}

/** Follows work across everything it awaits. Nothing that is traced traces in turn. */
export class Traces {
  readonly #ambient: Ambient<TraceFacts>;

  constructor(ambient: Ambient<TraceFacts>) {
    this.#ambient = ambient;
  }

  async around<R>(work: () => Promise<R>): Promise<Trace & { answer: R }> {
    const trace: Growing = { tables: new Set(), wrote: false };
    const answer = await this.#ambient.with({ trace }, work);
    return { answer, ...trace };
  }

  read(tables: Iterable<string>): void {
    const { trace } = this.#ambient.now;
    if (trace) for (const table of tables) trace.tables.add(table);
  }

  wrote(): void {
    const { trace } = this.#ambient.now;
    if (trace) trace.wrote = true;
  }
}
