// Files as the public gets them, by the address that a record tells. Whoever has the address of a file gets it, also of one that
// is attached to a private record: addresses end up in pages, mails and other sites, and nobody asks there who looks.
import type { Readable } from 'node:stream';
import { type FileHouse, FileReplaced, type FileVariant, type Part } from '#kernel/http/files.ts';
import { Problem } from '#kernel/problem.ts';
import type { Store } from '#store/store.ts';
import { type Entry, type Files, isFilePath } from '../../files/files.ts';
import type { ContentTables } from '../tables.ts';
import { isShown, mimeOf } from './file-kinds.ts';
import { isBackup, type MediaFile } from './media.ts';
import { type VariantType, variantTypes } from './variants.ts';

type Db = Pick<Store<ContentTables>, 'db'>['db'];

/** Nothing of ours has such a name. A backup may say where a photo was taken, which the file that replaced it no longer does. */
const isHidden = (path: string): boolean => isBackup(path) || path.split('/').some((part) => part.startsWith('.'));

/** Types of which there may be variants. */
const varies = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** The file that was found before; a store that tells of another one now is not fit to be asked. */
async function openedAs(files: Files, { path, size }: Entry, part: Part | undefined): Promise<Readable | undefined> {
  const opened = await files.open(path, part).catch((error) => {
    throw error instanceof Problem ? changed(files, error) : error;
  });
  if (opened === undefined || opened.size === size) return opened?.stream;
  opened.stream.destroy();
  throw changed(files);
}

const changed = ({ place }: Files, cause?: unknown): FileReplaced =>
  new FileReplaced(`A file in ${place} changed while it was read.`, { cause });

export const serving = (files: Files, base: string, db: Db): FileHouse => ({
  base,
  async find(path, accept) {
    if (!isFilePath(path) || isHidden(path)) return undefined;
    const entry = await files.find(path);
    if (entry === undefined) return movedFrom(db, path);
    const type = mimeOf(path);
    const name = path.replace(/^.*\//, '');
    return {
      size: entry.size,
      modified: entry.modified,
      type: type.startsWith('text/') ? `${type}; charset=UTF-8` : type,
      ...(!isShown(type) && { saveAs: name }),
      ...(varies.has(type) && { variants: await variantsOf({ files, db }, entry, accept) }),
      open: (part) => openedAs(files, entry, part),
    };
  },
});

async function movedFrom(db: Db, path: string): Promise<{ readonly movedTo: string } | undefined> {
  const row = await db.selectFrom('media_redirects').select('target').where('path', '=', path).executeTakeFirst();
  return row && { movedTo: row.target.replace(/^.*\//, '') };
}

/** The smallest first. Only those that the client names are looked for. */
async function variantsOf(
  { files, db }: { readonly files: Files; readonly db: Db },
  { path, size }: Entry,
  accept: string,
): Promise<FileVariant[]> {
  const named = variantTypes.filter((type) => accept.toLowerCase().includes(`image/${type}`));
  if (named.length === 0) return [];
  // Without the database, the client gets the file itself.
  const known = await recordedVariants(db, path, size).catch(() => undefined);
  const sizes = named.flatMap((type) => (known?.[type] === undefined ? [] : [{ type, bytes: known[type] }]));
  const found = await Promise.all(
    sizes.toSorted((one, other) => one.bytes - other.bytes).map(({ type }) => findVariant(files, path, type)),
  );
  return found.filter((one) => one !== undefined);
}

async function recordedVariants(db: Db, path: string, size: number) {
  const row = await db
    .selectFrom('media_paths')
    .innerJoin('media', 'media.post_id', 'media_paths.post_id')
    .select('media.details')
    .where('media_paths.path', '=', path)
    .executeTakeFirst();
  const { variants = {} }: Pick<MediaFile, 'variants'> = row === undefined ? {} : JSON.parse(row.details);
  const one = variants[path.replace(/^.*\//, '')];
  return one?.of === size ? one : undefined;
}

async function findVariant(files: Files, path: string, type: VariantType): Promise<FileVariant | undefined> {
  const entry = await files.find(`${path}.${type}`);
  if (entry === undefined) return undefined;
  const { size, modified } = entry;
  return { size, modified, type: `image/${type}`, open: (part) => openedAs(files, entry, part) };
}
