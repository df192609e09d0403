// Files as the public gets them, by the address that a record tells. Whoever has the address of a file gets it, also of one that
// is attached to a private record: addresses end up in pages, mails and other sites, and nobody asks there who looks.
import type { Readable } from 'node:stream';
import type { FileHouse, Part } from '#kernel/http/files.ts';
import { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { type Entry, type Files, isFilePath } from '../../files/files.ts';
import { isShown, mimeOf } from './file-kinds.ts';

/** Nothing of ours has such a name. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** The file that was found before; a store that tells of another one now is not fit to be asked. */
async function openedAs(files: Files, { path, size }: Entry, part: Part | undefined): Promise<Readable | undefined> {
  const opened = await files.open(path, part).catch((error) => {
    throw error instanceof Problem ? changed(files, error) : error;
  });
  if (opened === undefined || opened.size === size) return opened?.stream;
  opened.stream.destroy();
  throw changed(files);
}

const changed = ({ place }: Files, cause?: unknown): Unavailable =>
  new Unavailable(`A file in ${place} is not the one that it told of a moment ago.`, { cause });

export const serving = (files: Files, base: string): FileHouse => ({
  base,
  async find(path) {
    if (!isFilePath(path) || isHidden(path)) return undefined;
    const entry = await files.find(path);
    if (entry === undefined) return undefined;
    const type = mimeOf(path);
    const name = path.replace(/^.*\//, '');
    return {
      size: entry.size,
      modified: entry.modified,
      type: type.startsWith('text/') ? `${type}; charset=UTF-8` : type,
      ...(!isShown(type) && { saveAs: name }),
      open: (part) => openedAs(files, entry, part),
    };
  },
});
