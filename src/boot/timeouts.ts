// How long extensions may take for what they do, in milliseconds. Past it the site goes on without them.
import { second } from '#lib/spans.ts';

export interface ExtensionTimeouts {
  /** To be loaded: longer than while it is tried. */
  readonly loads: number;
  /** Once one has left: whoever is at work with it, to finish. */
  readonly finishes: number;
  /** To end what it began. */
  readonly ends: number;
}

export const defaultTimeouts: ExtensionTimeouts = { loads: 10 * second, finishes: 5 * second, ends: 10 * second };
