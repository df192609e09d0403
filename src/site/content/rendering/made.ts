// What was made of a text, remembered with the text it was made from: a number alone does not tell a record from its
// history. Bounded by its length in all; what was not asked for longest goes first.
import { hash } from 'node:crypto';

interface Entry {
  readonly from: string;
  readonly html: string;
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
    const entry = this.#take(key);
    if (entry?.from !== from) return undefined;
    this.#put(key, entry);
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
    const entry = { from, html };
    if (lengthOf(entry) <= this.#most / 4) this.#put(key, entry);
    return html;
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }

  #take(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#length -= lengthOf(entry);
    return entry;
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#length += lengthOf(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#most) return;
      this.#take(oldest);
    }
  }
}

/** With what an entry needs besides. */
const lengthOf = ({ from, html }: Entry): number => from.length + html.length + 200;
