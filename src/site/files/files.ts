// Where files of the site are kept: a folder of this machine, or an object store. Both behave alike. A path is relative, with `/`
// between its parts; what `path.ts` does not take is refused, whatever was asked. No file may have the path of a folder: a folder of
// this machine refuses it (`path_taken`), an object store would not, so whoever names files sees to it.
import type { Readable } from 'node:stream';

export interface Files {
  /** For people, without a key. */
  readonly place: string;
  /** Whether a file can have the path of a folder, against the rule above. */
  readonly takesBoth: boolean;
  /** Whole or not at all; what had this path before is replaced. Backed up by the reader: memory stays flat whatever the size. */
  put(path: string, body: Body, about?: About): Promise<Entry>;
  /** The same of a file of this machine, which nobody may write to any more: where it can, it becomes that file without a copy. */
  adopt(path: string, place: string, about?: About): Promise<Entry>;
  find(path: string): Promise<Entry | undefined>;
  /**
   * Its bytes, or those of the range; nothing when there is no such file. A range may end beyond the file, not begin there: that is
   * refused with 416. A stream that is not read to its end must be destroyed.
   */
  open(path: string, range?: Range): Promise<Opened | undefined>;
  /**
   * Everything under a folder, `2026/11/`, or everything, in the order of the paths byte by byte. Told is what lies there and is
   * none of ours: a link, or what no path can name.
   */
  list(folder?: string, passed?: (path: string) => void): AsyncIterable<Entry>;
  /** What had the new path is replaced. Refused with 404 when there is no such file. */
  move(from: string, to: string): Promise<void>;
  /** Whether it was there. */
  erase(path: string): Promise<boolean>;
  /** Throws an `Unavailable` when files cannot be reached just now. */
  ping(): Promise<void>;
  /** The same for the same name, of 50 letters, digits and dashes at most. Nothing is made by asking. */
  aside(name: string): Aside;
}

/** Files put beside the others, which nobody finds until they are placed. For one process at a time. */
export interface Aside {
  /** For people. */
  readonly where: string;
  put(path: string, body: Body): Promise<void>;
  list(): AsyncIterable<Entry>;
  /**
   * The first path that cannot be had. Where others are replaced, a file in the way is none: it is replaced, or erased before, and so
   * is a folder that holds nothing but files.
   */
  blocked(replaces: boolean): Promise<string | undefined>;
  /**
   * Gives each its path among the others. What has it already is replaced or, with `kept`, stays, and is told.
   * How many got theirs.
   */
  place(kept?: (path: string) => void): Promise<number>;
  /** Whatever was put and not placed is gone. */
  clear(): Promise<void>;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface About {
  readonly type?: string;
}

export interface Entry {
  readonly path: string;
  readonly size: number;
  readonly modified: Date;
}

/** The first and the last byte, both included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** A file that is read one way or the other. */
export interface Opened extends Entry {
  readonly stream: Readable;
  /**
   * Hands its bytes over piece by piece, in memory that is used again once `take` has resolved: for much at once. Throws `Changed`
   * when they are not those of one file as it was at one moment.
   */
  each(take: (piece: Uint8Array) => Promise<void>): Promise<void>;
}

/** A file was written to while it was read: by somebody else, for what the site puts is whole from the first moment. */
export class Changed extends Error {}
