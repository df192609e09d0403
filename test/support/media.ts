import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '#site/files/files.ts';
import { openLocalFiles } from '#site/files/local/local.ts';

const opened = new Date('2026-11-20T12:00:00Z');

type Ending = { readonly atEnd: (end: () => Promise<void>) => void };

/** A folder of media files with these in it, each character a byte; it goes when the tests end. */
export async function mediaWith({ atEnd }: Ending, content: Readonly<Record<string, string>> = {}): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  atEnd(async () => rmSync(folder, { recursive: true }));
  const files = await openLocalFiles(folder, opened);
  for (const [path, text] of Object.entries(content)) await files.put(path, Buffer.from(text, 'latin1'));
  return files;
}

/** What every file holds, by its path. */
export async function contentsOf(files: Files): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for await (const { path } of files.list()) {
    const file = await files.open(path);
    all[path] = Buffer.concat(await file!.stream.toArray()).toString('latin1');
  }
  return all;
}
