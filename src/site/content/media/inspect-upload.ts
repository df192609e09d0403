// Finds out the kind of an uploaded file, and whether the site accepts it.
import { open } from 'node:fs/promises';
import type { Problem } from '#kernel/problem.ts';
import { contentErrors } from '../errors.ts';
import { type FileKind, inspectedBytes, isPicture, isSizable, kindOf } from './file-kinds.ts';
import type { UploadedFile, UploadOptions } from './media.ts';
import { imageMeta } from './photo-metadata.ts';
import type { Picture, Pictures } from './picture.ts';
import { Malformed, refuseHeavy } from './picture-errors.ts';
import { playbackDetails } from './playback.ts';

export interface InspectedUpload {
  readonly kind: FileKind;
  /** Only for pictures that the site can make copies of. */
  readonly picture: Picture | undefined;
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
  if (kind === undefined) throw refusal(arrived, 'Files of this kind are not taken here.');
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

/** Refuses a damaged picture like any other file whose content is not what its name says. */
export async function refuseDamaged<T>(arrived: UploadedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Malformed) throw refusal(arrived, 'The picture is damaged, or none at all.');
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
