// Files as the public gets them, by the address that a record tells. Whoever has the address of a file gets it, also of one that
// is attached to a private record: addresses end up in pages, mails and other sites, and nobody asks there who looks.
import type { FileHouse } from '#kernel/http/files.ts';
import type { Files } from '../../files/files.ts';
import { isFilePath } from '../../files/path.ts';
import { isShown, mimeOf } from './kinds.ts';

/** Nothing of ours has such a name. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

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
      open: async (part) => (await files.open(path, part))?.stream,
    };
  },
});
