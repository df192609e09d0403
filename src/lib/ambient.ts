import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work under way belongs to, known to all that it awaits. There are two: one of an open store, and one of the kernel. */
export class Ambient<Facts extends object> {
  readonly #current = new AsyncLocalStorage<Partial<Facts>>();

  get now(): Partial<Facts> {
    return this.#current.getStore() ?? {};
  }

  /** Does `work` with these facts; all others stay as they are. */
  with<R>(facts: Partial<Facts>, work: () => R): R {
    return this.#current.run({ ...this.#current.getStore(), ...facts }, work);
  }
}
