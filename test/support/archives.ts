// Archives for a test: of a real store, or written by hand.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '#site/files/files.ts';
import { backUp } from '#site/transfer/backup/backup.ts';
import type { Loaded } from '#site/transfer/backup/packages.ts';
import { type Inspected, inspect, type Watching } from '#site/transfer/backup/parts.ts';
import { ArchiveWriter, type Sink } from '#site/transfer/backup/writer.ts';
import type { TableOwner } from '#store/migrate.ts';
import { readSnapshot } from '#store/snapshot.ts';
import { keptLog, type Place, type TestEngine } from './databases.ts';

export const backedUpAt = new Date('2026-11-20T12:00:00Z');

/** What is written through `work`, as bytes. */
export async function bytesOf(work: (sink: Sink) => Promise<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await work(async (bytes) => void pieces.push(Buffer.from(bytes)));
  return Buffer.concat(pieces);
}

/** The archive of what is kept there, and what the person was told. */
export async function archiveOf(
  place: Place,
  tables: readonly TableOwner[],
  files?: Files,
  { owners, absent }: Partial<Loaded> = {},
) {
  const notes: string[] = [];
  const options = { ...place, tables, log: keptLog() };
  const bytes = await bytesOf((sink) =>
    backUp({
      snapshot: (work) => readSnapshot(options, work, owners),
      ...(absent && { absent }),
      files,
      version: '1.2.3',
      now: backedUpAt,
      sink,
      note: (line) => void notes.push(line),
    }),
  );
  return { bytes, notes };
}

/** An archive by hand: whatever `write` puts between the first line and the end. */
export const written = (write: (writer: ArchiveWriter) => Promise<void>): Promise<Buffer> =>
  bytesOf(async (sink) => {
    const writer = new ArchiveWriter(sink);
    await write(writer);
    await writer.end();
  });

export interface Archives {
  open(bytes: Uint8Array): Promise<FileHandle>;
  inspect(bytes: Uint8Array, watching?: Watching): Promise<Inspected>;
}

/** Bytes as files, which are gone when the suite ends. */
export function archivesIn(engine: TestEngine): Archives {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true }));
  let count = 0;
  const opened = (bytes: Uint8Array): Promise<FileHandle> => {
    const path = join(folder, `${count++}.ghb`);
    writeFileSync(path, bytes);
    return open(path);
  };
  return {
    open: async (bytes) => {
      const handle = await opened(bytes);
      engine.atEnd(() => handle.close());
      return handle;
    },
    inspect: async (bytes, watching) => {
      const handle = await opened(bytes);
      try {
        return await inspect(handle, watching);
      } finally {
        await handle.close();
      }
    },
  };
}
