// Files of an author, read and written with a sentence for whatever stands in the way.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failed } from '#cli/command.ts';
import { fileErrorReason } from '#lib/file-error.ts';

/** Throws the reason as the sentence it is, and anything else as it is. */
export function refused(path: string, error: unknown): never {
  const reason = fileErrorReason(error);
  throw reason === undefined ? error : new Failed(`${path} cannot be used: ${reason}.`);
}

/** Nothing, when there is no such file. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return refused(path, error);
  }
}

/** Whole or not at all; what had the name before is replaced. */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o644): void {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    refused(path, error);
  }
}

/** Refused when there is a file of that name. */
export function writeNew(path: string, content: string | Uint8Array, mode = 0o644): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode });
  } catch (error) {
    refused(path, error);
  }
}
