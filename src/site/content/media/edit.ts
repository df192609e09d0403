// A picture changed: a new one, and the old stays.
import { stat, unlink } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import { makeCopies } from './copies.ts';
import { editedStem } from './file-stem.ts';
import { type Held, readable, unreadable } from './held.ts';
import { isChange, isEmpty, type Step, Unedited } from './image-edits.ts';
import { judged } from './judging.ts';
import type { Keep, Keeping, LibraryNeeds } from './keeping.ts';
import { extensionOf, isSizable } from './kinds.ts';
import type { Edit, MediaFile, MediaLibrary } from './media.ts';
import { editWeight, type Pictures } from './picture.ts';

interface With {
  readonly held: Held;
  readonly keep: Keep;
  readonly at: MediaLibrary['at'];
}

export function createEdit({ pictures }: LibraryNeeds, { held, keep, at }: With): MediaLibrary['edit'] {
  return async (post, address, edits, said, writing) => {
    const file = await held.of(post);
    if ((await at(address))?.id !== post.id) throw unknown('This is no address of that file.');
    if (!isSizable(post.mime_type)) throw notEditable();
    if (!edits.some(isChange)) throw new Problem(400, 'rest_image_not_edited', 'There is nothing to be changed.');
    if (edits.some(isEmpty)) throw new Problem(400, 'rest_image_crop_failed', 'Nothing of the picture would be left.');
    const source = await held.laid(file, () => unknown('The file of this record is gone.'));
    const to = `${source.path}-edited`;
    try {
      await changedInto(pictures, { from: source.path, mime: post.mime_type, edits, to });
      const made = await madeOf(pictures, { file, path: to });
      const about = { parent_image: { attachment_id: String(post.id), file: file.file } };
      const texts = { title: post.title, content: post.content, excerpt: post.excerpt, alt_text: file.alt_text };
      try {
        return await keep({ ...made, about }, { ...texts, ...said }, writing);
      } finally {
        await made.copies.release();
      }
    } finally {
      await source.release();
      await unlink(to).catch(() => {});
    }
  };
}

const unknown = (why: string): Problem => new Problem(404, 'rest_unknown_attachment', why);

const notEditable = (): Problem =>
  new Problem(400, 'rest_cannot_edit_file_type', 'Files of this kind cannot be changed here.');

const failures: Readonly<Record<Step, (cause: unknown) => Problem>> = {
  read: unreadable,
  rotate: (cause) => failure('rest_image_rotation_failed', 'The picture could not be turned.', cause),
  flip: (cause) => failure('rest_image_flip_failed', 'The picture could not be mirrored.', cause),
  crop: (cause) => failure('rest_image_crop_failed', 'The picture could not be cut.', cause),
};

const failure = (code: string, message: string, cause: unknown): Problem =>
  new Problem(500, code, message, {}, { cause });

interface Change {
  readonly from: string;
  readonly mime: string;
  readonly edits: readonly Edit[];
  readonly to: string;
}

async function changedInto(pictures: Pictures, { from, mime, edits, to }: Change): Promise<void> {
  const picture = await readable(() => pictures.look(from, mime));
  // One that moves would come to a stand.
  if (picture.isAnimated) throw notEditable();
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

/** What was made is judged like what is sent. */
async function madeOf(pictures: Pictures, { file, path }: Made): Promise<Omit<Keeping, 'about'>> {
  const stem = editedStem(file.file);
  const { size } = await stat(path);
  const arrived = { name: `${stem}.${extensionOf(file.file)}`, path, size, inForm: false };
  const known = await judged(arrived, {}, pictures);
  const copies = await makeCopies(pictures, { path, mime: known.kind.mime, picture: known.picture! });
  return { arrived, judged: known, stem, copies };
}
