// The files of an archive and those that are there.
import type { FileHandle } from 'node:fs/promises';
import type { Entry, Files } from '../files/files.ts';
import type { End, FileEntry } from './format.ts';
import { parts, Withdrawn } from './parts.ts';
import { ArchiveProblem, damaged } from './problem.ts';
import { fileHeads } from './skimming.ts';

/** Puts all files where they belong. What stands in the archive now must be what was looked at before. */
export async function putFiles(
  files: Files,
  archive: FileHandle,
  { digest }: End,
  progress: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  for await (const part of parts(archive)) {
    if (part.is === 'end' && part.end.digest !== digest) throw damaged('it changed while it was read');
    if (part.is !== 'file') continue;
    const { path } = part.file;
    try {
      await files.put(path, part.content);
      bytes += part.file.size;
      progress(bytes);
    } catch (error) {
      if (!(error instanceof Withdrawn)) throw error;
    }
  }
  await refuseMissing(files, archive);
}

type Pair = { readonly there?: Entry; readonly archived?: FileEntry };

/** Both are in the order of their paths, so they are walked side by side and none is kept in mind. */
async function* sideBySide(files: Files, archive: FileHandle): AsyncGenerator<Pair> {
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

/** Whether files are there that stand in the way. Those of a try that was cut off do not. */
export async function strayOf(files: Files, archive: FileHandle, isSite: boolean): Promise<boolean> {
  for await (const { there, archived } of sideBySide(files, archive)) {
    if (there !== undefined && (isSite || archived?.size !== there.size)) return true;
  }
  return false;
}

/** Where capitals make no difference, one of two files is not there any more. */
async function refuseMissing(files: Files, archive: FileHandle): Promise<void> {
  for await (const { there, archived } of sideBySide(files, archive)) {
    if (archived === undefined || there?.size === archived.size) continue;
    throw new ArchiveProblem(
      `${archived.path} is not in ${files.place} although it was put there; are there two whose names differ in capitals only?`,
    );
  }
}

/** So many at a time, so that nothing is erased from a list while it is read. */
const batch = 1000;

export const eraseStrays = (files: Files, archive: FileHandle): Promise<void> =>
  eraseThose(files, () => strays(files, archive));

export const eraseAll = (files: Files): Promise<void> => eraseThose(files, () => files.list());

async function* strays(files: Files, archive: FileHandle): AsyncGenerator<Entry> {
  for await (const { there, archived } of sideBySide(files, archive))
    if (there !== undefined && archived === undefined) yield there;
}

async function eraseThose(files: Files, those: () => AsyncIterable<Entry>): Promise<void> {
  for (;;) {
    const paths: string[] = [];
    for await (const { path } of those()) {
      paths.push(path);
      if (paths.length === batch) break;
    }
    for (const path of paths) await files.erase(path);
    if (paths.length < batch) return;
  }
}
