// Everything that is made when it is shown, whoever brought it.
import type { Live } from './live.ts';
import type { AddressShown, Rendered } from './rendering.ts';

export interface Kit {
  block(name: string): Live | undefined;
  shortcode(name: string): Live | undefined;
  readonly shortcodes: ReadonlySet<string>;
  readonly addresses: readonly AddressShown[];
  readonly scripts: readonly string[];
  readonly scriptFiles: readonly string[];
  /** Another one whenever something came or went. */
  readonly edition: number;
}

export class OpenKit implements Kit {
  readonly #blocks = new Map<string, Live>();
  readonly #shortcodes = new Map<string, Live>();
  readonly addresses: AddressShown[] = [];
  readonly scripts: string[] = [];
  readonly scriptFiles: string[] = [];
  edition = 0;
  /** Those that only others know what to do with have a name, too. */
  readonly shortcodes = new Set<string>();

  block(name: string): Live | undefined {
    return this.#blocks.get(name);
  }

  shortcode(name: string): Live | undefined {
    return this.#shortcodes.get(name);
  }

  /** Returns how to take it away again. */
  add(made: Rendered): () => void {
    const { blocks = {}, shortcodes = {}, addresses = [], scripts = [], scriptFiles = [] } = made;
    for (const name of Object.keys(blocks)) refuseUnfit(this.#blocks, 'block', name);
    for (const name of Object.keys(shortcodes)) refuseUnfit(this.#shortcodes, 'shortcode', name);
    for (const [name, live] of Object.entries(blocks)) this.#blocks.set(name, live);
    for (const [name, live] of Object.entries(shortcodes)) {
      this.#shortcodes.set(name, live);
      this.shortcodes.add(name);
    }
    this.addresses.push(...addresses);
    this.scripts.push(...scripts);
    this.scriptFiles.push(...scriptFiles);
    this.edition += 1;
    return () => this.#remove(made);
  }

  #remove({ blocks = {}, shortcodes = {}, addresses = [], scripts = [], scriptFiles = [] }: Rendered): void {
    for (const name of Object.keys(blocks)) this.#blocks.delete(name);
    for (const name of Object.keys(shortcodes)) {
      this.#shortcodes.delete(name);
      this.shortcodes.delete(name);
    }
    for (const one of addresses) drop(this.addresses, one);
    for (const one of scripts) drop(this.scripts, one);
    for (const one of scriptFiles) drop(this.scriptFiles, one);
    this.edition += 1;
  }
}

/** What cannot be shown under the name it has; the message is a sentence. */
export class UnfitRendered extends Error {}

const names = { block: /^[a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*$/, shortcode: /^[a-z][a-z0-9_-]*$/ };

function drop<T>(from: T[], one: T): void {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
}

function refuseUnfit(known: ReadonlyMap<string, Live>, kind: keyof typeof names, name: string): void {
  if (!names[kind].test(name)) throw new UnfitRendered(`${JSON.stringify(name)} is not a valid name of a ${kind}.`);
  if (known.has(name)) throw new UnfitRendered(`Another extension renders the ${kind} ${name} already.`);
}
