// Finds out the kind of an uploaded file, and whether the site accepts it.
import { open, readFile, writeFile } from 'node:fs/promises';
import type { Problem } from '#kernel/problem.ts';
import { contentErrors } from '../errors.ts';
import { cleanSvg, maxSvgBytes } from './clean-svg.ts';
import { drawing, extensionOf, type FileKind, inspectedBytes, isPicture, isSizable, kindOf } from './file-kinds.ts';
import type { UploadedFile, UploadOptions } from './media.ts';
import { imageMeta } from './photo-metadata.ts';
import type { Picture, Pictures } from './picture.ts';
import { Malformed, refuseHeavy } from './picture-errors.ts';
import { playbackDetails } from './playback.ts';
import type { Dimensions } from './sizes.ts';

export interface InspectedUpload {
  readonly kind: FileKind;
  /** Only for pictures that the site can make copies of. */
  readonly picture: Picture | undefined;
  /** Of a drawing that says how large it is. */
  readonly dimensions?: Dimensions | undefined;
  /** Details that the record shows beside the size. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** A file in a form and a file as the body have error codes of their own. */
const refusal = ({ inForm }: UploadedFile, message: string): Problem =>
  inForm ? contentErrors.uploadUnknownError(message) : contentErrors.uploadSideloadError(message);

export async function inspectUpload(
  arrived: UploadedFile,
  { sized }: UploadOptions,
  pictures: Pictures,
): Promise<InspectedUpload> {
  const head = await headOf(arrived.path, inspectedBytes);
  const kind = kindOf(arrived.name, head);
  if (kind === undefined)
    throw refusal(
      arrived,
      'This site does not accept this file. It accepts certain types of files, and only if the content matches the file name.',
    );
  if (!isPicture(kind.mime))
    return { kind, picture: undefined, about: await playbackDetails(arrived.path, kind, arrived.size) };
  refuseHeavy(arrived.size);
  if (!isSizable(kind.mime)) {
    if (sized) throw contentErrors.uploadImageTypeNotSupported();
    return { kind, picture: undefined, about: {} };
  }
  const picture = await refuseDamaged(arrived, () => pictures.look(arrived.path, kind.mime));
  return { kind, picture, about: { image_meta: imageMeta(picture, picture.orientation) } };
}

/** A file that is taken: what it is, and where its bytes lie now. */
interface Inspected {
  readonly arrived: UploadedFile;
  readonly inspected: InspectedUpload;
}

/** Inspects a file. A drawing is cleaned first, where drawings are taken. */
export async function inspectOrClean(
  arrived: UploadedFile,
  how: UploadOptions,
  pictures: Pictures,
  takesDrawings: () => Promise<boolean>,
): Promise<Inspected> {
  const isDrawing = extensionOf(arrived.name) === drawing.extension;
  if (isDrawing && (await takesDrawings())) return cleanDrawing(arrived);
  return { arrived, inspected: await inspectUpload(arrived, how, pictures) };
}

/** Replaces the file that came by what is left of it when everything that could run or load something is taken out. */
async function cleanDrawing(arrived: UploadedFile): Promise<Inspected> {
  if (arrived.size > maxSvgBytes) throw refusal(arrived, `An SVG file can have at most ${maxSvgBytes / 2 ** 20} MiB.`);
  const source = utf8(await readFile(arrived.path));
  const clean = source === undefined ? undefined : await cleanSvg(source);
  if (clean === undefined) throw refusal(arrived, 'The SVG file is damaged, or has nothing that can be shown safely.');
  await writeFile(arrived.path, clean.text);
  return {
    arrived: { ...arrived, size: Buffer.byteLength(clean.text) },
    inspected: {
      kind: drawing,
      picture: undefined,
      dimensions: clean.dimensions,
      about: { image_meta: imageMeta({ exif: undefined, iptc: undefined }, 0) },
    },
  };
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Refuses a damaged picture like any other file whose content is not what its name says. */
export async function refuseDamaged<T>(arrived: UploadedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Malformed) throw refusal(arrived, 'The file is damaged, or it is not a picture.');
    throw error;
  }
}

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
