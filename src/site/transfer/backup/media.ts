// The files of an archive and those that are there.
import type { FileHandle } from 'node:fs/promises';
import { forEachConcurrently } from '#lib/concurrency.ts';
import type { Aside, Entry, Files } from '../../files/files.ts';
import { ArchiveProblem, damaged, type End, type FileEntry, headerLength, kinds, longestFirstLine } from './format.ts';
import { fileOf } from './heads.ts';
import { type Part, parts, Withdrawn } from './parts.ts';
import { cutOff } from './reader.ts';

const atOnce = 8;
/** What is no longer waits in memory, so that several are written at a time. */
const small = 2 ** 18;

/** Puts all files beside those that are there. What stands in the archive now must be what was looked at before. */
export async function putAside(
  aside: Aside,
  archive: FileHandle,
  { digest }: End,
  progress: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  const counted = (size: number) => {
    bytes += size;
    progress(bytes);
  };
  await forEachConcurrently(smallFiles(aside, archive, digest, counted), atOnce, async ({ path, content }) => {
    await aside.put(path, content);
    counted(content.length);
  });
  await refuseMissing(aside, archive);
}

interface SmallFile {
  readonly path: string;
  readonly content: Buffer;
}

/** Those that are long are put meanwhile, one by one. */
async function* smallFiles(
  aside: Aside,
  archive: FileHandle,
  digest: string,
  counted: (size: number) => void,
): AsyncGenerator<SmallFile> {
  for await (const part of parts(archive)) {
    if (part.is === 'end' && part.end.digest !== digest) throw damaged('it changed while it was read');
    if (part.is !== 'file') continue;
    const { path, size } = part.file;
    try {
      if (size <= small) yield { path, content: await wholeOf(part) };
      else await aside.put(path, part.content);
      if (size > small) counted(size);
    } catch (error) {
      if (!(error instanceof Withdrawn)) throw error;
    }
  }
}

async function wholeOf({ content }: Extract<Part, { is: 'file' }>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

type Pair = { readonly there?: Entry; readonly archived?: FileEntry | undefined };

/** Both are in the order of their paths, so they are walked side by side and none is kept in mind. */
async function* sideBySide(files: Pick<Files, 'list'> | Aside, archive: FileHandle): AsyncGenerator<Pair> {
  const listed = files.list()[Symbol.asyncIterator]();
  const archived = fileHeads(archive);
  try {
    let [one, other] = [await listed.next(), await archived.next()];
    while (!one.done || !other.done) {
      const order = one.done ? 1 : other.done ? -1 : compare(one.value.path, other.value.path);
      yield { ...(order <= 0 && { there: one.value }), ...(order >= 0 && { archived: other.value }) };
      if (order <= 0) one = await listed.next();
      if (order >= 0) other = await archived.next();
    }
  } finally {
    await listed.return?.(); // whoever has seen enough leaves no folder open
  }
}

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

export async function hasFiles(files: Files): Promise<boolean> {
  return !(await files.list()[Symbol.asyncIterator]().next()).done;
}

/** Where capitals make no difference, one of two files is not there any more. */
async function refuseMissing(aside: Aside, archive: FileHandle): Promise<void> {
  for await (const { there, archived } of sideBySide(aside, archive)) {
    if (archived === undefined || there?.size === archived.size) continue;
    throw new ArchiveProblem(
      `${archived.path} was stored but cannot be found. Check whether two file names differ only in upper and lower case.`,
    );
  }
}

/** So many at a time, so that nothing is erased from a list while it is read. */
const batch = 1000;

/** Files that the archive does not have. */
export async function eraseStrays(files: Files, archive: FileHandle): Promise<void> {
  for (;;) {
    const paths: string[] = [];
    for await (const { there, archived } of sideBySide(files, archive)) {
      if (there === undefined || archived !== undefined) continue;
      paths.push(there.path);
      if (paths.length === batch) break;
    }
    for (const path of paths) await files.erase(path);
    if (paths.length < batch) return;
  }
}

// Lists the files of an archive without reading them. The archive must have been read and checked as a whole before.

async function* fileHeads(archive: FileHandle): AsyncGenerator<FileEntry, undefined> {
  let at = (await piece(archive, 0, longestFirstLine)).indexOf('\n') + 1;
  let file: FileEntry | undefined;
  for (;;) {
    const header = await piece(archive, at, headerLength);
    const sign = header.toString('latin1', 0, 1);
    const length = header.readUInt32BE(1);
    if (sign === kinds.file) file = fileOf({ kind: 'file', payload: await piece(archive, at + headerLength, length) });
    if (sign === kinds.whole && file !== undefined) yield file;
    if (sign === kinds.end) return undefined;
    at += headerLength + length;
  }
}

async function piece(archive: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await archive.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw cutOff();
  return buffer;
}
