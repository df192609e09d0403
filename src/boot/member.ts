// An extension that is part of the site.

import { second } from '#lib/spans.ts';
import type { Extension } from '#site/extension.ts';

export interface Member {
  readonly extension: Extension;
  /** Its nouns. */
  readonly use: unknown;
}

// How long extensions may take for what they do, in milliseconds. Past it the site goes on without them.

export interface ExtensionTimeouts {
  /** To be loaded: longer than while it is tried. */
  readonly loads: number;
  /** Once one is switched off: requests that still use it, to finish. */
  readonly finishes: number;
  /** To end what it began. */
  readonly ends: number;
}

export const defaultTimeouts: ExtensionTimeouts = { loads: 10 * second, finishes: 5 * second, ends: 10 * second };
