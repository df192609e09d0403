// What was made of a text, remembered with the text it was made from: a number alone does not tell a record from its
// history. Bounded by its length in all; what was not asked for longest goes first.
import { hash } from 'node:crypto';

interface Entry {
  readonly from: string;
  readonly html: string;
  /** With what an entry needs besides. */
  readonly size: number;
}

/** Of longer texts a print is kept in their place. */
const longest = 10_000;

export const printOf = (text: string): string => (text.length > longest ? hash('sha256', text) : text);

export class Made {
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();
  #length = 0;

  /** So many characters, none of it longer than a quarter of that. */
  constructor(most: number) {
    this.#most = most;
  }

  /** As it was made before of the text that has this print. */
  known(key: string, from: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry?.from !== from) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.html;
  }

  /** As it was made before of the same text, else as it is made now. */
  once(key: string, text: string, make: (text: string) => string): string {
    const from = printOf(text);
    return this.known(key, from) ?? this.keep(key, from, make(text));
  }

  /** Answers it. */
  keep(key: string, from: string, html: string): string {
    this.#take(key);
    const size = from.length + html.length + 200;
    if (size <= this.#most / 4) this.#put(key, { from, html, size });
    return html;
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }

  #take(key: string): void {
    this.#length -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#length += entry.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#most) return;
      this.#take(oldest);
    }
  }
}
