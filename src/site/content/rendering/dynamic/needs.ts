import type { OpenRecords, RecordsNeeds } from './open-records.ts';

/** What the blocks of the site are made from. */
export interface BlockNeeds extends RecordsNeeds {
  readonly records: OpenRecords;
}
