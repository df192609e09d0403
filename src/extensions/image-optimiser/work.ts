// The work on one image: which files it has, what is left to do for each, and what the record says once all are in place.
import type { Encoded } from '#site/content/media/encode.ts';
import { mimeOf } from '#site/content/media/file-kinds.ts';
import { inFolderOf, type MediaFile, picturePathsOf, type SubSize, variantPathsOf } from '#site/content/media/media.ts';
import { pictureLimits } from '#site/content/media/picture-errors.ts';
import { type Dimensions, fitted } from '#site/content/media/sizes.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import type { Variants, VariantType } from '#site/content/media/variants.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Services } from '#site/extension.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { ImageOptions } from './preset-input.ts';
import { isRecompressible, isSameSize, type Recompress, type Source } from './recompress.ts';
import { bytesIn, type FileRecord, type ImageRecord, nameOf } from './records.ts';
import type { Workspace } from './workspace.ts';

export interface OptimiseDeps extends Pick<Services, 'files' | 'spool' | 'clock'> {
  readonly media: Services['content']['media'];
  readonly recompress: Recompress;
}

export interface OptimiseRequest {
  readonly post: Post;
  readonly options: ImageOptions;
  /** Also files that were optimized before. */
  readonly force: boolean;
  readonly before: ImageRecord | undefined;
  readonly doing: Doing<Post>;
  /** Called between files. Throws if another run has the image by now. */
  goOn(): Promise<void>;
}

/** What is made aside, before any file is put in place. */
export interface Plan {
  /** Files on this machine, by the path that each gets. */
  readonly placed: Map<string, string>;
  readonly records: Record<string, FileRecord>;
  /** By the name that the file has now. */
  readonly changed: Map<string, Encoded & { readonly name: string }>;
  readonly variants: Record<string, Variants>;
  readonly reserved: string[];
  readonly moved: Map<string, string>;
  resize: ImageRecord['resize'];
  conversion: ImageRecord['conversion'];
}

export interface ImageWork {
  readonly deps: OptimiseDeps;
  readonly workspace: Workspace;
  readonly request: OptimiseRequest;
  readonly file: MediaFile;
  readonly plan: Plan;
  readonly claim: string;
}

/** One file of the image. */
export interface FileWork {
  readonly path: string;
  readonly name: string;
  readonly isOriginal: boolean;
  /** Bytes that it has now. */
  readonly bytes: number;
  /** Missing if the file was not optimized, or was made again since. */
  readonly before: FileRecord | undefined;
}

export const emptyPlan = (before: ImageRecord | undefined): Plan => ({
  placed: new Map(),
  records: {},
  changed: new Map(),
  variants: {},
  reserved: [],
  moved: new Map(),
  resize: before?.resize ?? null,
  conversion: before?.conversion ?? null,
});

export const isEligible = (file: MediaFile, mime: string, bytes: number): boolean =>
  isRecompressible(mime) && bytes <= pictureLimits.bytes && mime === mimeOf(file.file);

/** The public is given newer types only of what pages show. A larger original is hardly ever shown. */
export const typesFor = (options: ImageOptions, file: MediaFile, path: string): VariantType[] =>
  file.original === null || path !== originalPath(file) ? newerTypes(options, mimeOf(file.file)) : [];

export function newerTypes({ webp, avif }: Pick<ImageOptions, 'webp' | 'avif'>, mime: string): VariantType[] {
  const types: VariantType[] = [];
  if (webp && (mime === 'image/jpeg' || mime === 'image/png')) types.push('webp');
  if (avif && (mime === 'image/jpeg' || mime === 'image/png' || mime === 'image/webp')) types.push('avif');
  return types;
}

export const isSettled = (
  record: FileRecord | undefined,
  isOriginal: boolean,
  { level, original }: ImageOptions,
): boolean => record !== undefined && (record.level >= level || (isOriginal && !original));

/** Whether nothing is left to do for any file of the image. */
export function isUpToDate(options: ImageOptions, file: MediaFile, before: ImageRecord | undefined): boolean {
  if (before === undefined || before.status === 'failed') return false;
  if (before.status === 'skipped') return true;
  return picturePathsOf(file).every((path) => {
    const record = before.files[nameOf(path)];
    const bytes = bytesIn(file, path);
    const isTried = typesFor(options, file, path).every((type) => record?.tried.includes(type));
    const isSame = bytes === undefined || record?.after === bytes;
    return isSettled(record, path === originalPath(file), options) && isSame && isTried;
  });
}

/** The original first, then its copies. Files that are gone are left out. */
export async function filesToWorkOn(
  { files }: Pick<OptimiseDeps, 'files'>,
  file: MediaFile,
  before: ImageRecord | undefined,
): Promise<FileWork[]> {
  const original = originalPath(file);
  const works: FileWork[] = [];
  for (const path of [original, ...picturePathsOf(file).filter((one) => one !== original)]) {
    const entry = await files.find(path);
    if (entry === undefined) continue;
    const name = nameOf(path);
    const known = before?.files[name];
    const record = known?.after === entry.size ? known : undefined;
    works.push({ path, name, isOriginal: path === original, bytes: entry.size, before: record });
  }
  return works;
}

/** Originals, and what is shown in their place, are made to fit. */
export function sizeFor({ file, request }: ImageWork, work: FileWork, { picture }: Source): Dimensions {
  const { resize } = request.options;
  const isFitted = resize !== undefined && (work.isOriginal || work.path === file.file) && !picture.isAnimated;
  return isFitted ? fitted(picture, resize) : { width: picture.width, height: picture.height };
}

/** The backup of an original has lost nothing yet. */
export async function bestSource({ workspace, file }: ImageWork, { isOriginal }: FileWork, current: Source) {
  if (!isOriginal || file.backup === undefined || mimeOf(file.backup) !== current.mime) return current;
  return (await workspace.source(inFolderOf(file.file, file.backup), current.mime)) ?? current;
}

export interface VariantWork {
  /** Of the file that they stand beside. */
  readonly path: string;
  readonly source: Source;
  readonly size: Dimensions;
  /** Bytes of that file. */
  readonly below: number;
  readonly types: readonly VariantType[];
}

/** Adds those that are smaller to the plan. */
export async function addVariants({ deps, workspace, request, plan, claim }: ImageWork, one: VariantWork) {
  const { path: of, source, size, below, types } = one;
  if (source.picture.isAnimated) return;
  const kept: Partial<Record<VariantType, number>> = {};
  for (const type of types) {
    await request.goOn();
    const { level } = request.options;
    const made = await workspace.result(deps.recompress.variant(source, { level, size }, type, below));
    if (made === undefined) continue;
    const path = `${of}.${type}`;
    const place = await deps.media.reserve(request.post, path, claim);
    if (place === 'taken') continue;
    if (place === 'reserved') plan.reserved.push(path);
    plan.placed.set(path, made.path);
    kept[type] = made.bytes;
  }
  if (Object.keys(kept).length > 0) plan.variants[nameOf(of)] = { of: below, ...kept };
}

export const isWhole = (size: Dimensions, { picture }: Source): boolean => isSameSize(size, picture);

/** Applied to the record as it is in the write: copies that were added meanwhile stay. */
export function recordAfter(now: MediaFile, { changed, variants }: Plan): MediaFile {
  const main = changed.get(nameOf(now.file));
  const original = changed.get(now.original ?? '');
  const sizes = Object.entries(now.sizes).map(([label, copy]): [string, SubSize] => {
    const next = changed.get(copy.file);
    if (next === undefined) return [label, copy];
    return [label, { ...copy, file: next.name, filesize: next.bytes, mime_type: mimeOf(next.name) }];
  });
  return {
    ...now,
    ...(main && { file: inFolderOf(now.file, main.name), size: main.bytes, width: main.width, height: main.height }),
    ...(original && { original: original.name, uploaded: { width: original.width, height: original.height } }),
    sizes: Object.fromEntries(sizes),
    variants: Object.keys(variants).length === 0 ? undefined : variants,
  };
}

/** Variants that the record had and no longer has. */
export function staleVariants(file: MediaFile, { variants }: Plan): string[] {
  const next = new Set(variantPathsOf({ file: file.file, variants }));
  return variantPathsOf(file).filter((path) => !next.has(path));
}
