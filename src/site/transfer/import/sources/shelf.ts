// Where files of another site stand: a folder or an archive.

/** One that is there. */
export interface Found {
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Files by their paths below the uploads. */
export interface Shelf {
  /** Nothing where there is none. */
  find(path: string): Promise<Found | undefined>;
  /** Every path, for whoever only knows a name. */
  paths(): AsyncIterable<string>;
  close(): Promise<void>;
}
