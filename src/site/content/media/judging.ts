// What a file is, and whether it is taken.
import { open } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import { type FileKind, isPicture, isSizable, kindOf, looked } from './kinds.ts';
import type { Arrived, Uploading } from './media.ts';
import { imageMeta } from './photo-metadata.ts';
import type { Picture, Pictures } from './picture.ts';
import { Malformed, refuseHeavy } from './picture-errors.ts';
import { playing } from './playback.ts';

export interface Judged {
  readonly kind: FileKind;
  /** Of those that this site can work on. */
  readonly picture: Picture | undefined;
  /** What is told of it besides its size. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** A part of a form and a body itself are refused by codes of their own. */
const refusal = ({ inForm }: Arrived, message: string): Problem =>
  new Problem(400, inForm ? 'rest_upload_unknown_error' : 'rest_upload_sideload_error', message);

export async function judged(arrived: Arrived, { sized }: Uploading, pictures: Pictures): Promise<Judged> {
  const head = await headOf(arrived.path, looked);
  const kind = kindOf(arrived.name, head);
  if (kind === undefined) throw refusal(arrived, 'Files of this kind are not taken here.');
  if (!isPicture(kind.mime))
    return { kind, picture: undefined, about: await playing(arrived.path, kind, arrived.size) };
  refuseHeavy(arrived.size);
  if (!isSizable(kind.mime)) {
    if (sized) throw notSizable();
    return { kind, picture: undefined, about: {} };
  }
  const picture = await refusing(arrived, () => pictures.look(arrived.path, kind.mime));
  return { kind, picture, about: { image_meta: imageMeta(picture, picture.orientation) } };
}

/** What turns out to be no whole picture is refused like any other file that is not what it says. */
export async function refusing<T>(arrived: Arrived, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Malformed) throw refusal(arrived, 'The picture is damaged, or none at all.');
    throw error;
  }
}

const notSizable = (): Problem =>
  new Problem(400, 'rest_upload_image_type_not_supported', 'No smaller copies can be made of such a picture here.');

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
