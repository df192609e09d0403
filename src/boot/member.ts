// An extension that is part of the site.
import type { Extension } from '#site/extension.ts';

export interface Member {
  readonly extension: Extension;
  /** Its nouns. */
  readonly use: unknown;
}
