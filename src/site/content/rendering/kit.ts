// Everything that is made when it is shown, whoever brought it.
import type { Live } from './live.ts';
import type { AddressShown, Rendered } from './rendering.ts';

export interface Kit {
  block(name: string): Live | undefined;
  shortcode(name: string): Live | undefined;
  readonly shortcodes: ReadonlySet<string>;
  readonly addresses: readonly AddressShown[];
}

export class OpenKit implements Kit {
  readonly #blocks = new Map<string, Live>();
  readonly #shortcodes = new Map<string, Live>();
  readonly addresses: AddressShown[] = [];
  /** Those that only others know what to do with have a name, too. */
  readonly shortcodes = new Set<string>();

  block(name: string): Live | undefined {
    return this.#blocks.get(name);
  }

  shortcode(name: string): Live | undefined {
    return this.#shortcodes.get(name);
  }

  add({ blocks = {}, shortcodes = {}, addresses = [] }: Rendered): void {
    for (const [name, live] of Object.entries(blocks)) once(this.#blocks, name, live);
    for (const [name, live] of Object.entries(shortcodes)) {
      once(this.#shortcodes, name, live);
      this.shortcodes.add(name);
    }
    this.addresses.push(...addresses);
  }
}

/** A name that is nobody's to take; its message is a sentence. */
export class Taken extends Error {}

function once(known: Map<string, Live>, name: string, live: Live): void {
  if (known.has(name)) throw new Taken(`What is shown for ${name} is made already.`);
  known.set(name, live);
}
