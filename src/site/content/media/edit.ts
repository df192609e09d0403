// An edit makes a new record with a changed picture, and the old one stays.
import { stat, unlink } from 'node:fs/promises';
import type { Problem } from '#kernel/problem.ts';
import { contentErrors } from '../errors.ts';
import { makeCopies, wantedCopies } from './copies.ts';
import { extensionOf, isSizable } from './file-kinds.ts';
import { isChange, isEmpty, type Step, Unedited } from './image-edits.ts';
import { inspectUpload } from './inspect-upload.ts';
import type { Edit, MediaFile, MediaLibrary } from './media.ts';
import { editWeight, type Pictures } from './picture.ts';
import {
  editedStem,
  type LibraryDeps,
  type OriginalFiles,
  readable,
  type StorableFile,
  type StoreFile,
  unreadable,
} from './store-file.ts';

interface With {
  readonly originals: OriginalFiles;
  readonly storeFile: StoreFile;
  readonly at: MediaLibrary['at'];
}

export function createEdit({ pictures, sizes }: LibraryDeps, { originals, storeFile, at }: With): MediaLibrary['edit'] {
  return async (post, address, edits, said, writing) => {
    const file = await originals.of(post);
    if ((await at(address))?.id !== post.id) throw contentErrors.unknownAttachment('`src` is not a URL of this file.');
    if (!isSizable(post.mime_type)) throw contentErrors.cannotEditFileType();
    if (!edits.some(isChange)) throw contentErrors.imageNotEdited();
    if (edits.some(isEmpty)) throw contentErrors.imageCropEmpty();
    const source = await originals.copyAside(file, () =>
      contentErrors.unknownAttachment('The file of this record does not exist.'),
    );
    const to = `${source.path}-edited`;
    try {
      await changedInto(pictures, { from: source.path, mime: post.mime_type, edits, to });
      const made = await madeOf({ pictures, sizes }, { file, path: to });
      const about = { parent_image: { attachment_id: String(post.id), file: file.file } };
      const texts = { title: post.title, content: post.content, excerpt: post.excerpt, alt_text: file.alt_text };
      try {
        return await storeFile({ ...made, about }, { ...texts, ...said }, writing);
      } finally {
        await made.copies.release();
      }
    } finally {
      await source.release();
      await unlink(to).catch(() => {});
    }
  };
}

const failures: Readonly<Record<Step, (cause: unknown) => Problem>> = {
  read: unreadable,
  rotate: (cause) => contentErrors.imageRotationFailed().because(cause),
  flip: (cause) => contentErrors.imageFlipFailed().because(cause),
  crop: (cause) => contentErrors.imageCropFailed().because(cause),
};

interface Change {
  readonly from: string;
  readonly mime: string;
  readonly edits: readonly Edit[];
  readonly to: string;
}

async function changedInto(pictures: Pictures, { from, mime, edits, to }: Change): Promise<void> {
  const picture = await readable(() => pictures.look(from, mime));
  // An edit would keep one frame of an animation.
  if (picture.isAnimated) throw contentErrors.cannotEditFileType();
  const changes = edits.filter(isChange);
  try {
    await pictures.inTurn(editWeight(picture, changes), () => pictures.change(from, mime, changes, to));
  } catch (error) {
    throw error instanceof Unedited ? failures[error.step](error.cause) : error;
  }
}

interface Made {
  readonly file: MediaFile;
  readonly path: string;
}

/** The changed picture is inspected like an upload. */
async function madeOf(
  { pictures, sizes }: Pick<LibraryDeps, 'pictures' | 'sizes'>,
  { file, path }: Made,
): Promise<Omit<StorableFile, 'about'>> {
  const stem = editedStem(file.file);
  const { size } = await stat(path);
  const arrived = { name: `${stem}.${extensionOf(file.file)}`, path, size, inForm: false };
  const known = await inspectUpload(arrived, {}, pictures);
  const source = { path, mime: known.kind.mime, picture: known.picture! };
  const copies = await makeCopies(pictures, source, wantedCopies(source, sizes));
  return { arrived, inspected: known, stem, copies };
}
