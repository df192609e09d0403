// Makes the copies of a picture again. New copies are made aside, then put under their names one by one, each whole, and the record is
// saved last: a failure on the way leaves the record as it was, and every file whole.
import type { Problem } from '#kernel/problem.ts';
import { forEachConcurrently } from '#lib/concurrency.ts';
import type { ImageSize } from '#lib/image-sizes.ts';
import { fileErrors } from '../../files/errors.ts';
import type { Files } from '../../files/files.ts';
import type { Doing } from '../../identity/doing.ts';
import type { Post } from '../posts/post.ts';
import { findPost, postLock } from '../posts/rows.ts';
import { mediaTopic } from '../tables.ts';
import { type Copies, inOrder, makeCopies, nameOf, noCopies, scaled, type WantedCopy, wantedCopies } from './copies.ts';
import { extensionOf, mimeOf } from './file-kinds.ts';
import {
  filesOf,
  inFolderOf,
  type MediaFile,
  type MediaLibrary,
  pathsOf,
  picturePathsOf,
  type RegeneratedFile,
  type RegenerateOptions,
  rowOf,
  type SubSize,
  variantPathsOf,
} from './media.ts';
import type { Made } from './picture.ts';
import { OutOfTime, refuseHeavy } from './picture-errors.ts';
import { releasePaths, settlePaths } from './reserved-paths.ts';
import { type Dimensions, sizesOf } from './sizes.ts';
import { type LibraryDeps, type OriginalFiles, originalPath } from './store-file.ts';
import { variantsWhere } from './variants.ts';

/** Copies under the paths where they are kept. */
interface PlacedCopies {
  readonly sizes: Readonly<Record<string, SubSize>>;
  /** The one that stands for a picture which is too large to be shown. */
  readonly shown?: Pick<MediaFile, 'file' | 'size' | 'width' | 'height'>;
  /** Paths that were free until now. */
  readonly reserved: readonly string[];
  /** Paths of this picture whose files were replaced. */
  readonly replaced: readonly string[];
}

const none: PlacedCopies = { sizes: {}, reserved: [], replaced: [] };

export function createRegenerate(deps: LibraryDeps, originals: OriginalFiles): MediaLibrary['regenerate'] {
  const { files, pictures } = deps;

  return async (post, options, doing) => {
    const file = await originals.of(post);
    if ((await files.find(originalPath(file))) === undefined) throw gone();
    const plan = await planOf(deps, file, options);
    const known = originalDimensions(file);
    if (known !== undefined && plan.missing?.length === 0 && file.placeholder !== undefined) {
      if (!options.deleteUnregistered) return { file, made: [], deleted: [] };
      return save(deps, { post, picture: known, plan, copies: noCopies, placed: none, options }, doing);
    }
    const source = await originals.copyAside(file, gone);
    try {
      refuseHeavy(await sizeOf(files, file));
      const mime = mimeOf(originalPath(file));
      const picture = await pictures.look(source.path, mime);
      const missing = plan.missing ?? missingCopies(wantedOf(deps.sizes, mime, picture), plan);
      const copies = await makeCopies(pictures, { path: source.path, mime, picture }, missing, file);
      try {
        if (copies.isUnfinished) throw new OutOfTime('There was not enough time for all copies.');
        const placed = copies.made.size === 0 ? none : await place(deps, copies, file, post.id);
        return await save(deps, { post, picture, plan, copies, placed, options }, doing);
      } finally {
        await copies.release();
      }
    } finally {
      await source.release();
    }
  };
}

const gone = (): Problem => fileErrors.fileNotFound().saying('The original file of this record does not exist.');
const sizeOf = async (files: Files, file: MediaFile): Promise<number> =>
  (await files.find(originalPath(file)))?.size ?? 0;

export const createMeasure =
  ({ pictures }: LibraryDeps, originals: OriginalFiles): MediaLibrary['measure'] =>
  async (file) => {
    const source = await originals.copyAside(file, gone);
    try {
      const { width, height } = await pictures.look(source.path, mimeOf(originalPath(file)));
      return { width, height };
    } finally {
      await source.release();
    }
  };

/** Which of these files are there. */
export async function existingOf(files: Files, paths: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  await forEachConcurrently(new Set(paths), 8, async (path) => {
    if ((await files.find(path)) !== undefined) existing.add(path);
  });
  return existing;
}

// Which copies are to be made.

interface Plan {
  readonly file: MediaFile;
  readonly onlyMissing: boolean;
  /** Files of the record that are there. */
  readonly existing: ReadonlySet<string>;
  /** Missing when the size of the original is not known before it is read. */
  readonly missing?: readonly WantedCopy[];
}

async function planOf(
  { files, sizes }: LibraryDeps,
  file: MediaFile,
  { onlyMissing }: RegenerateOptions,
): Promise<Plan> {
  const plan: Plan = { file, onlyMissing, existing: await existingOf(files, pathsOf(file)) };
  const picture = originalDimensions(file);
  if (picture === undefined) return plan;
  return { ...plan, missing: missingCopies(wantedOf(sizes, mimeOf(file.file), picture), plan) };
}

/** How large the original is, upright, where that is known without reading it. */
export function originalDimensions({ original, width, height, uploaded }: MediaFile): Dimensions | undefined {
  if (original !== null) return uploaded;
  return width === null || height === null ? undefined : { width, height };
}

const wantedOf = (sizes: readonly ImageSize[], mime: string, picture: Dimensions) =>
  wantedCopies({ mime, picture }, sizes);

function missingCopies(wanted: readonly WantedCopy[], { file, onlyMissing, existing }: Plan): WantedCopy[] {
  return wanted.filter(({ label, width, height }) => {
    if (label === scaled) return file.original === null ? file.isUnfinished : !existing.has(file.file);
    const copy = file.sizes[label];
    const isThere = copy?.width === width && copy.height === height && existing.has(inFolderOf(file.file, copy.file));
    return !(onlyMissing && isThere);
  });
}

// How they get their names.

async function place({ store, places, files }: LibraryDeps, copies: Copies, file: MediaFile, id: number) {
  const original = originalPath(file);
  const extension = extensionOf(original);
  const mime_type = mimeOf(original);
  const own = stemOf(original);
  const rows = await store.db.selectFrom('media_paths').select('path').where('post_id', '=', id).execute();
  const owned = new Set(rows.map(({ path }) => path));
  const sizes: Record<string, SubSize> = {};
  const reserved: string[] = [];
  const replaced: string[] = [];
  let shown: PlacedCopies['shown'];

  /** The path it had or should have, if that is a path of this record; else one that is free. */
  const pathFor = async (label: string, copy: Made): Promise<string> => {
    const name = (stem: string) => (label === scaled ? `${stem}-scaled.${extension}` : nameOf(stem, copy, extension));
    const before = file.sizes[label];
    const isAlike = before?.width === copy.width && before.height === copy.height;
    const known = [isAlike ? before.file : name(own), name(own)].map((one) => inFolderOf(original, one));
    const kept = known.find((path) => (owned.has(path) || reserved.includes(path)) && path !== original);
    if (kept !== undefined) {
      if (owned.has(kept)) replaced.push(kept);
      return kept;
    }
    const paths = (stem: string) => [inFolderOf(original, name(stem))];
    const [path] = paths(await places.take({ stem: own, paths })) as [string];
    reserved.push(path);
    return path;
  };

  try {
    const paths = new Map<string, string>();
    for (const [label, copy] of copies.made) paths.set(label, await pathFor(label, copy));
    await forEachConcurrently(copies.made, 8, async ([label, copy]) => {
      const path = paths.get(label)!;
      await files.adopt(path, copy.path, { type: mime_type });
      const { width, height, size } = copy;
      if (label === scaled) shown = { file: path, size, width, height };
      else sizes[label] = { file: path.replace(/^.*\//, ''), width, height, filesize: size, mime_type };
    });
  } catch (error) {
    await places.clear(reserved).catch(() => {});
    throw error;
  }
  return { sizes, ...(shown && { shown }), reserved, replaced };
}

const stemOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

// What the record says afterwards, and which files go.

interface Saving {
  readonly post: Post;
  readonly picture: Dimensions;
  readonly plan: Plan;
  readonly copies: Copies;
  readonly placed: PlacedCopies;
  readonly options: RegenerateOptions;
}

async function save(deps: LibraryDeps, saving: Saving, { again }: Doing<Post>): Promise<RegeneratedFile> {
  const { store, places, files, sizes, events } = deps;
  const { post, placed, options, copies } = saving;
  const registered = new Set(sizesOf(saving.picture, sizes).map(({ label }) => label));
  try {
    const { file, dropped } = await store.write(async (tx, during) => {
      await during.lock(postLock(post.id));
      const now = await findPost(tx, post.id);
      const before = (await filesOf(tx, [post.id])).get(post.id);
      if (now === undefined || before === undefined) throw gone();
      await again?.(tx, now);
      const file = merged(before, saving, registered);
      const { post_id: _, ...row } = rowOf(post.id, file);
      await tx.updateTable('media').set(row).where('post_id', '=', post.id).execute();
      await settlePaths(tx, placed.reserved, post.id);
      during.changed(mediaTopic);
      const stale = variantPathsOf(before).filter((path) => !pathsOf(file).includes(path));
      await releasePaths(tx, stale, post.id);
      if (!options.deleteUnregistered) return { file, dropped: stale };
      const all = await tx.selectFrom('media_paths').select('path').where('post_id', '=', post.id).execute();
      const kept = new Set(pathsOf(file));
      const dropped = all.map(({ path }) => path).filter((path) => !kept.has(path) && isNamedAsCopy(path, file));
      if (dropped.length > 0)
        await tx.updateTable('media_paths').set({ post_id: null }).where('path', 'in', dropped).execute();
      return { file, dropped: [...dropped, ...stale] };
    });
    if (dropped.length > 0) await places.clear(dropped);
    const strays = options.deleteUnregistered ? await places.clearUnclaimed(await straysOf(files, file)) : [];
    if (copies.made.size > 0 && !options.isQuiet) events.emit('media.copied', { id: post.id });
    return { file, made: [...copies.made.keys()], deleted: [...dropped, ...strays] };
  } catch (error) {
    // Nothing of this is the record's, if it was deleted meanwhile; what cannot be cleared now is swept.
    await places.clear(placed.reserved).catch(() => {});
    await places.clearUnclaimed(placed.replaced).catch(() => {});
    throw error;
  }
}

function merged(before: MediaFile, saving: Saving, registered: Set<string>): MediaFile {
  const { placed, picture, copies } = saving;
  const { width, height } = picture;
  const original = before.original ?? (placed.shown ? before.file.replace(/^.*\//, '') : null);
  const file: MediaFile = {
    ...before,
    ...(original === null && { width, height }),
    ...placed.shown,
    original,
    sizes: inOrder({ ...keptSizes(before, saving, registered), ...placed.sizes }),
    isUnfinished: false,
    placeholder: copies.placeholder ?? before.placeholder,
    uploaded: original === null ? undefined : { width, height },
  };
  // Other variants show what was there before.
  const same = new Set(picturePathsOf(file)).difference(new Set(placed.replaced));
  return { ...file, variants: variantsWhere(file.variants, (name) => same.has(inFolderOf(file.file, name))) };
}

/** Copies that were not made again. One whose size has another file now stays under a name of its own, if it is there. */
function keptSizes(before: MediaFile, { placed, plan, options }: Saving, registered: Set<string>) {
  const kept: Record<string, SubSize> = {};
  for (const [label, copy] of Object.entries(before.sizes)) {
    const next = placed.sizes[label];
    const isSuperseded = next !== undefined;
    if (options.deleteUnregistered && (isSuperseded || !registered.has(label))) continue;
    if (!isSuperseded) kept[label] = copy;
    else if (isReplacedBy(next, copy) && plan.existing.has(inFolderOf(before.file, copy.file)))
      kept[`${label}_old_${copy.width}x${copy.height}`] = copy;
  }
  return kept;
}

/** A copy that differs in one side alone is not worth keeping. */
const isReplacedBy = (next: SubSize, copy: SubSize): boolean =>
  next.width !== copy.width && next.height !== copy.height;

const copyName = /-\d+x\d+\.[^./]+$/;

/** The path of a copy of this picture, whatever its size: never that of the picture itself. */
function isNamedAsCopy(path: string, file: MediaFile): boolean {
  const original = originalPath(file);
  return path !== original && path !== file.file && copyName.test(path);
}

/** Files beside it that are named like copies of it and are in no record of it. */
async function straysOf(files: Files, file: MediaFile): Promise<string[]> {
  const original = originalPath(file);
  const own = new Set(pathsOf(file));
  const folder = original.replace(/[^/]*$/, '');
  const [start, end] = [`${folder}${stemOf(original)}-`, `.${extensionOf(original)}`];
  const strays: string[] = [];
  for await (const { path } of files.list(folder)) {
    if (own.has(path) || !path.startsWith(start) || !path.endsWith(end)) continue;
    if (/^\d+x\d+$/.test(path.slice(start.length, -end.length))) strays.push(path);
  }
  return strays;
}
