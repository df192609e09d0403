// What an archive is made of; docs/backup-format.md says it in words.
import { crc32 } from 'node:zlib';
import { fileErrorReason } from '#lib/file-error.ts';
import type { Column } from '#store/engine.ts';

const name = 'gatehouse-backup';
/** Archives of an older format are read, those of a newer one refused. */
export const format = 1;
/** The first line. */
export const firstLine = (version: number = format): Buffer => Buffer.from(`${name} ${version}\n`);
export const longestFirstLine = 40;
export const firstLinePattern = new RegExp(`^${name} (\\d{1,9})\\n`);

/** What a record is, as its first byte says. */
export const kinds = {
  manifest: 'M',
  table: 'T',
  rows: 'R',
  file: 'F',
  content: 'C',
  /** The file is whole. */
  whole: 'W',
  /** What was written of the file is void: it changed meanwhile. */
  void: 'X',
  end: 'E',
} as const;
export type Kind = keyof typeof kinds;

const MiB = 2 ** 20;

/** How long each may be as it stands in the archive; nothing longer is ever held in memory. */
export const longest = {
  /** The text of one row, hence of a block of rows before it is compressed. */
  rows: 64 * MiB,
  content: MiB,
  other: MiB,
} as const;

/** Of several rows in a block, before they are compressed; a longer block holds one. */
export const mostOfMany = 2 * MiB;

export const bound = (kind: Kind): number =>
  kind === 'rows' ? longest.rows + MiB : kind === 'content' ? longest.content : longest.other;

/** Before each record: its kind, its length, and a checksum of these and of the record. */
export const headerLength = 9;

export function headerOf(kind: Kind, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(kinds[kind], 0, 'latin1');
  header.writeUInt32BE(payload.length, 1);
  header.writeUInt32BE(sumOf(header, payload), 5);
  return header;
}

export const sumOf = (header: Buffer, payload: Uint8Array): number => crc32(payload, crc32(header.subarray(0, 5)));

/** Beyond this a database would soon have no numbers left to give. */
export const highestNumber = 2 ** 52;

/** More than any table has. */
export const mostColumns = 500;

export interface Manifest {
  /** Of the program that wrote it. */
  readonly version: string;
  readonly created_at: string;
  readonly engine: string;
  /** `owner/name`, in the order they were applied. */
  readonly migrations: readonly string[];
  /** The tables that follow, in this order. */
  readonly tables: readonly TableEntry[];
  /** Whether files follow. */
  readonly media: boolean;
}

export interface TableEntry {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The column that the database numbers, and the highest number it ever gave. */
  readonly numbered?: string | undefined;
  readonly highest?: number | undefined;
  /** Which package it came with: `package:guest-book`. */
  readonly owner?: string | undefined;
}

export interface FileEntry {
  readonly path: string;
  readonly size: number;
  readonly modified: string;
}

export interface End {
  /** Rows, in the order of the tables. */
  readonly rows: readonly number[];
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of the first line and of the headers of all records before this one, hence of their checksums. */
  readonly digest: string;
}

/** Something is wrong with an archive, or with putting it back; the message is one sentence for the person at the command line. */
export class ArchiveProblem extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ArchiveProblem';
  }
}

export const damaged = (what: string, cause?: unknown): ArchiveProblem =>
  new ArchiveProblem(`The archive is damaged: ${what}. Use another copy of it, or another archive.`, { cause });

/** The same of the archive, as a sentence. */
export function unusable(file: string, error: unknown): unknown {
  const reason = fileErrorReason(error);
  if (reason === undefined) return error;
  return new ArchiveProblem(`The archive ${file} cannot be used: ${reason}.`, { cause: error });
}
