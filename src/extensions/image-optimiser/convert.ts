// A PNG that is a photo becomes a JPEG: the original and all its copies, or none of them.
import type { Encoded } from '#site/content/media/encode.ts';
import { mimeOf } from '#site/content/media/file-kinds.ts';
import { picturePathsOf } from '#site/content/media/media.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import type { Source } from './recompress.ts';
import { nameOf } from './records.ts';
import { addVariants, bestSource, type FileWork, type ImageWork, isWhole, newerTypes, sizeFor } from './work.ts';

interface ConvertedFile {
  readonly work: FileWork;
  readonly source: Source;
  readonly jpeg: Encoded;
  readonly size: Dimensions;
}

/** Returns whether it is in the plan. */
export async function convert(image: ImageWork, works: readonly FileWork[]): Promise<boolean> {
  const { file, request } = image;
  const isComplete = works.length === picturePathsOf(file).length;
  const { png_to_jpg, level } = request.options;
  if (!png_to_jpg || level === 0 || mimeOf(file.file) !== 'image/png' || !isComplete) return false;
  const converted: ConvertedFile[] = [];
  for (const work of works) {
    const one = await convertOne(image, work);
    if (one === undefined) return false;
    converted.push(one);
  }
  for (const one of converted) await addToPlan(image, one);
  const records = Object.values(image.plan.records);
  image.plan.conversion = {
    size_before: records.reduce((sum, { before }) => sum + before, 0),
    size_after: records.reduce((sum, { after }) => sum + after, 0),
  };
  return true;
}

async function convertOne(image: ImageWork, work: FileWork): Promise<ConvertedFile | undefined> {
  const { deps, workspace, request } = image;
  await request.goOn();
  const current = await workspace.source(work.path, 'image/png');
  if (current === undefined) return undefined;
  const source = await bestSource(image, work, current);
  const size = sizeFor(image, work, current);
  const how = { level: request.options.level, stripsMetadata: request.options.strip_exif, size };
  const { photoAsJpeg, copyAsJpeg } = deps.recompress;
  const jpeg = await workspace.result(work.isOriginal ? photoAsJpeg(source, how) : copyAsJpeg(source, how));
  return jpeg && { work, source, jpeg, size };
}

async function addToPlan(image: ImageWork, { work, source, jpeg, size }: ConvertedFile): Promise<void> {
  const { deps, request, file, plan, claim } = image;
  const path = await deps.media.reserveFree(work.path.replace(/\.[^.]*$/, '.jpg'), claim);
  const name = nameOf(path);
  plan.reserved.push(path);
  plan.placed.set(path, jpeg.path);
  plan.moved.set(work.path, path);
  plan.changed.set(work.name, { ...jpeg, name });
  const isShown = file.original === null || work.path !== originalPath(file);
  const types = isShown ? newerTypes(request.options, 'image/jpeg') : [];
  const before = work.before?.before ?? source.bytes;
  plan.records[name] = { before, after: jpeg.bytes, level: request.options.level, tried: types };
  if (work.isOriginal && !isWhole(size, source)) plan.resize = { size_before: before, size_after: jpeg.bytes };
  await addVariants(image, { path, source, size, below: jpeg.bytes, types });
}
