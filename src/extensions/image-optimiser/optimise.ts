// Optimizes one image: its original and all its copies. First each file is made smaller aside; then all of them are put in place, and
// the record of the image is written last.
import type { Encoding } from '#site/content/media/encode.ts';
import { mimeOf } from '#site/content/media/file-kinds.ts';
import { backupOf, type MediaFile } from '#site/content/media/media.ts';
import { claimFor } from '#site/content/media/reserved-paths.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import { convert } from './convert.ts';
import { imageErrors } from './errors.ts';
import type { Source } from './recompress.ts';
import { type ImageRecord, nameOf, rowOf, type SavedBytes, saveRow, sumOf } from './records.ts';
import type { Tx } from './tables.ts';
import {
  addVariants,
  bestSource,
  emptyPlan,
  type FileWork,
  filesToWorkOn,
  type ImageWork,
  isSettled,
  isWhole,
  type OptimiseDeps,
  type OptimiseRequest,
  recordAfter,
  sizeFor,
  staleVariants,
  typesFor,
} from './work.ts';
import { createWorkspace } from './workspace.ts';

export async function optimiseImage(deps: OptimiseDeps, request: OptimiseRequest): Promise<MediaFile> {
  const image = await imageWork(deps, request);
  try {
    const isConverted = await work(image);
    // Another run may have the image by now.
    await request.goOn();
    if (needsBackup(image)) await backUp(image);
    return await place(image, isConverted);
  } catch (error) {
    await deps.media.giveBack(image.plan.reserved, image.claim).catch(() => {});
    throw error;
  } finally {
    await image.workspace.release();
  }
}

/** What would be saved. No file is put in place, and no name is reserved. */
export async function estimateImage(deps: OptimiseDeps, request: OptimiseRequest): Promise<SavedBytes> {
  const media = { ...deps.media, reserve: async () => 'own' as const, reserveFree: async (path: string) => path };
  const image = await imageWork({ ...deps, media }, request);
  try {
    await work(image);
    return sumOf(Object.values(image.plan.records));
  } finally {
    await image.workspace.release();
  }
}

async function imageWork(deps: OptimiseDeps, request: OptimiseRequest): Promise<ImageWork> {
  const { id } = request.post;
  const file = (await deps.media.files([id])).get(id);
  if (file === undefined) throw imageErrors.unknownImage(id);
  const claim = claimFor(`optimize ${id}`);
  return { deps, workspace: createWorkspace(deps), request, file, plan: emptyPlan(request.before), claim };
}

/** Makes all files aside. Returns whether the image is another type then. */
async function work(image: ImageWork): Promise<boolean> {
  const works = await filesToWorkOn(image.deps, image.file, image.request.before);
  if (await convert(image, works)) return true;
  for (const one of works) await recompressOne(image, one);
  return false;
}

function place({ deps, request, file, plan, claim }: ImageWork, isConverted: boolean): Promise<MediaFile> {
  const { post, options, doing } = request;
  const { placed, reserved, moved, records: files, resize, conversion } = plan;
  const record: ImageRecord = { status: 'optimized', level: options.level, files, resize, conversion };
  const changes = {
    placed,
    reserved,
    claim,
    moved,
    record: (now: MediaFile) => recordAfter(now, plan),
    ...(isConverted && { mime_type: 'image/jpeg' }),
    removed: staleVariants(file, plan),
    alongside: (tx: unknown, after: MediaFile) => saveRow(tx as Tx, rowOf(post.id, record, after, deps.clock())),
  };
  return deps.media.changeFiles(post, changes, doing);
}

/** The level of an original that was left alone. */
const untouched = -1;

async function recompressOne(image: ImageWork, work: FileWork): Promise<void> {
  const { request, file, plan, workspace } = image;
  const { options, force } = request;
  const types = typesFor(options, file, work.path);
  const settled = !force && isSettled(work.before, work.isOriginal, options) ? work.before : undefined;
  if (settled && types.every((type) => settled.tried.includes(type))) {
    const known = file.variants?.[work.name];
    plan.records[work.name] = settled;
    if (known !== undefined) plan.variants[work.name] = known;
    return;
  }
  await request.goOn();
  const current = await workspace.source(work.path, mimeOf(work.path) as Encoding['mime']);
  if (current === undefined) return;
  const source = await bestSource(image, work, current);
  const made = settled ? { ...settled, size: current.picture } : await smallerFile(image, work, current, source);
  const { before, after, level, size } = made;
  plan.records[work.name] = { before, after, level, tried: types };
  await addVariants(image, { path: work.path, source, size, below: after, types });
}

async function smallerFile(image: ImageWork, work: FileWork, current: Source, source: Source) {
  const { deps, request, plan, workspace } = image;
  const { options } = request;
  const before = work.before?.before ?? source.bytes;
  const size = sizeFor(image, work, current);
  const isLeft = work.isOriginal && !options.original && isWhole(size, current);
  const how = { level: options.level, stripsMetadata: options.strip_exif, size };
  const result = isLeft ? undefined : await workspace.result(deps.recompress.recompress(source, how));
  if (result === undefined || (result.bytes >= work.bytes && source === current))
    return { before, after: work.bytes, level: isLeft ? untouched : options.level, size: current.picture };
  plan.placed.set(work.path, result.path);
  plan.changed.set(work.name, { ...result, name: work.name });
  if (work.isOriginal && !isWhole(size, current)) plan.resize = { size_before: before, size_after: result.bytes };
  return { before, after: result.bytes, level: options.level, size };
}

/** Only what was uploaded is kept: not an original that was made smaller before. */
function needsBackup({ file, plan, request: { options, before } }: ImageWork): boolean {
  const name = nameOf(originalPath(file));
  const known = before?.files[name];
  const wasChanged = known !== undefined && known.after !== known.before;
  return options.backup && plan.changed.has(name) && file.backup === undefined && !wasChanged;
}

/** The backup is in the record before the original is replaced. Without a place for it, the original stays. */
async function backUp({ deps, workspace, request, file, claim }: ImageWork): Promise<void> {
  const original = originalPath(file);
  const path = backupOf(original);
  const copy = await workspace.source(original, mimeOf(original) as Encoding['mime']);
  const place = copy === undefined ? 'taken' : await deps.media.reserve(request.post, path, claim);
  if (copy === undefined || place === 'taken') throw imageErrors.backupTaken(path);
  const changes = {
    placed: new Map([[path, copy.path]]),
    reserved: place === 'reserved' ? [path] : [],
    claim,
    record: (now: MediaFile) => ({ ...now, backup: nameOf(path) }),
  };
  await deps.media.changeFiles(request.post, changes, request.doing);
}
