import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Entry, Files } from '#site/files/files.ts';
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

export async function contentOf(files: Files, path: string): Promise<string | undefined> {
  const opened = await files.open(path);
  return opened && (await text(opened.stream));
}

export async function allOf(entries: AsyncIterable<Entry>): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of entries) paths.push(path);
  return paths;
}

/** So many bytes in pieces of odd sizes, never all in memory. */
export async function* stream(size: number, chunk = 100_003): AsyncGenerator<Buffer> {
  const piece = randomBytes(chunk);
  for (let left = size; left > 0; left -= chunk) yield left < chunk ? piece.subarray(0, left) : piece;
}
