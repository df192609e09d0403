// Everything that is made when it is shown, whoever brought it.
import type { Live } from './live.ts';
import type { AddressShown, Rendered } from './rendering.ts';

export interface Kit {
  block(name: string): Live | undefined;
  shortcode(name: string): Live | undefined;
  readonly shortcodes: ReadonlySet<string>;
  readonly addresses: readonly AddressShown[];
  readonly scripts: readonly string[];
}

export class OpenKit implements Kit {
  readonly #blocks = new Map<string, Live>();
  readonly #shortcodes = new Map<string, Live>();
  readonly addresses: AddressShown[] = [];
  readonly scripts: string[] = [];
  /** Those that only others know what to do with have a name, too. */
  readonly shortcodes = new Set<string>();

  block(name: string): Live | undefined {
    return this.#blocks.get(name);
  }

  shortcode(name: string): Live | undefined {
    return this.#shortcodes.get(name);
  }

  add({ blocks = {}, shortcodes = {}, addresses = [], scripts = [] }: Rendered): void {
    for (const [name, live] of Object.entries(blocks)) keep(this.#blocks, 'block', name, live);
    for (const [name, live] of Object.entries(shortcodes)) {
      keep(this.#shortcodes, 'shortcode', name, live);
      this.shortcodes.add(name);
    }
    this.addresses.push(...addresses);
    this.scripts.push(...scripts);
  }
}

/** What cannot be shown under the name it has; the message is a sentence. */
export class UnfitRendered extends Error {}

const names = { block: /^[a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*$/, shortcode: /^[a-z][a-z0-9_-]*$/ };

function keep(known: Map<string, Live>, kind: keyof typeof names, name: string, live: Live): void {
  if (!names[kind].test(name)) throw new UnfitRendered(`No ${kind} can be called ${JSON.stringify(name)}.`);
  if (known.has(name)) throw new UnfitRendered(`Somebody else makes the ${kind} ${name}.`);
  known.set(name, live);
}
