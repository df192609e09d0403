import type { RenderingNeeds } from '../needs.ts';
import type { Prose } from '../rendering.ts';
import type { OpenRecords } from './open-records.ts';

export interface RecordsNeeds extends RenderingNeeds {
  prose(): Promise<Prose>;
  /** A title as pages show it. */
  title(text: string): string;
}

/** What the blocks of the site are made from. */
export interface BlockNeeds extends RecordsNeeds {
  readonly records: OpenRecords;
}
