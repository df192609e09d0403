// An archive read from its first byte to its last, before anything is done with it.
import type { FileHandle } from 'node:fs/promises';
import type { End, FileEntry, Manifest, TableEntry } from './format.ts';
import { parts } from './parts.ts';
import { damaged } from './problem.ts';
import type { Row } from './rows.ts';

export interface Inspected {
  readonly manifest: Manifest;
  readonly end: End;
}

/** Who else wants to see what goes by. */
export interface Watching {
  manifest?(manifest: Manifest): void | Promise<void>;
  row?(row: Row, table: TableEntry): void;
  /** Its content can be read, once. */
  file?(file: FileEntry, content: AsyncIterable<Uint8Array>): void | Promise<void>;
  progress?(rows: number, bytes: number): void;
}

/** Refuses whatever is damaged or cut off, wherever it is. */
export async function inspect(archive: FileHandle, watching: Watching = {}): Promise<Inspected> {
  let manifest: Manifest | undefined;
  const seen = { rows: 0, bytes: 0 };
  for await (const part of parts(archive)) {
    if (part.is === 'manifest') {
      manifest = part.manifest;
      await watching.manifest?.(manifest);
    }
    if (part.is === 'rows') {
      for (const row of part.rows()) watching.row?.(row, part.table);
      seen.rows += part.rows().length;
    }
    if (part.is === 'file') {
      await watching.file?.(part.file, part.content);
      seen.bytes += part.file.size;
    }
    watching.progress?.(seen.rows, seen.bytes);
    if (part.is === 'end' && manifest !== undefined) return { manifest, end: part.end };
  }
  throw damaged('it has no end');
}
