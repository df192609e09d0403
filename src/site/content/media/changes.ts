// What is done with a picture that is kept: the copies it lacks, and new pictures made from it.
import { createReadStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import type { Laid } from '#kernel/upload.ts';
import { eachAtOnce } from '#lib/at-once.ts';
import type { Post } from '../posts/post.ts';
import { inOrder, makeCopies, nameOf, scaled, wantedCopies } from './copies.ts';
import { judged } from './judging.ts';
import { eachOf, type Keep, type LibraryNeeds, unfinished } from './keeping.ts';
import { extensionOf, isSizable, mimeOf } from './kinds.ts';
import type { Edit, MediaFile, MediaLibrary } from './media.ts';
import { editedStem } from './names.ts';
import { Malformed, type Pictures } from './picture.ts';
import { settlePlaces } from './places.ts';
import { besides, filesOf, pathsOf, rowOf } from './rows.ts';

type Changes = Pick<MediaLibrary, 'finish' | 'edit'>;

export function createChanges(needs: LibraryNeeds, keep: Keep, at: MediaLibrary['at']): Changes {
  const { store, files, posts, spool, pictures } = needs;

  const fileFor = async ({ id }: Post): Promise<MediaFile> => {
    const file = (await filesOf(store.db, [id])).get(id);
    if (file === undefined) throw new Problem(404, 'rest_post_invalid_id', 'There is no file of this record.');
    return file;
  };

  const laid = async (path: string): Promise<Laid> => {
    const opened = await files.open(path);
    if (opened === undefined) throw new Problem(404, 'file_not_found', 'The file of this record is gone.');
    return spool(opened.stream);
  };

  return {
    async finish(post, doing) {
      const file = await fileFor(post);
      if (!isSizable(post.mime_type)) return post;
      const original = besides(file.file, file.original ?? file.file.replace(/^.*\//, ''));
      const source = await laid(original);
      try {
        const more = await missingCopies(needs, source, file, original);
        const next = more && {
          ...file,
          sizes: inOrder({ ...file.sizes, ...more.sizes }),
          isUnfinished: more.isUnfinished,
        };
        if (next === undefined) return post;
        const { post_id: _, ...row } = rowOf(post.id, next);
        const kept = await posts.change(
          post,
          {},
          {
            ...doing,
            unfiltered: true,
            alongside: async (tx) => {
              await tx.updateTable('media').set(row).where('post_id', '=', post.id).execute();
              await settlePlaces(tx, pathsOf(next), post.id);
            },
          },
        );
        if (next.isUnfinished) throw unfinished(post);
        return kept;
      } finally {
        await source.release();
      }
    },

    async edit(post, address, edits, said, writing) {
      const file = await fileFor(post);
      if ((await at(address))?.id !== post.id)
        throw new Problem(404, 'rest_unknown_attachment', 'This is no address of that file.');
      if (!edits.some(isChange)) throw new Problem(400, 'rest_image_not_edited', 'There is nothing to be changed.');
      if (!isSizable(post.mime_type)) throw notEditable();
      const source = await laid(file.file);
      const to = `${source.path}-edited`;
      try {
        await refuseAnimated(pictures, source.path, post.mime_type);
        await changedInto(pictures, source.path, post.mime_type, edits, to);
        const stem = editedStem(file.file);
        const arrived = {
          name: `${stem}.${extensionOf(file.file)}`,
          path: to,
          size: (await stat(to)).size,
          inForm: false,
        };
        const known = await judged(arrived, {}, pictures);
        const copies = await makeCopies(pictures, { path: to, mime: known.kind.mime, picture: known.picture! });
        const about = { parent_image: { attachment_id: String(post.id), file: file.file } };
        const texts = { title: post.title, content: post.content, excerpt: post.excerpt, alt_text: file.alt_text };
        try {
          return await keep({ arrived, judged: known, stem, copies, about }, { ...texts, ...said }, writing);
        } finally {
          await copies.release();
        }
      } finally {
        await source.release();
        await unlink(to).catch(() => {});
      }
    },
  };
}

const isChange = ({ rotate, flip, crop }: Edit): boolean => {
  if (rotate !== undefined) return rotate % 360 !== 0;
  if (flip !== undefined) return flip.horizontal || flip.vertical;
  return crop !== undefined && !(crop.left <= 0 && crop.top <= 0 && crop.width >= 100 && crop.height >= 100);
};

const notEditable = (): Problem =>
  new Problem(400, 'rest_cannot_edit_file_type', 'Files of this kind cannot be changed here.');

/** One that moves would come to a stand. */
async function refuseAnimated(pictures: Pictures, path: string, mime: string): Promise<void> {
  if ((await pictures.look(path, mime)).isAnimated) throw notEditable();
}

async function changedInto(pictures: Pictures, from: string, mime: string, edits: readonly Edit[], to: string) {
  try {
    await pictures.inTurn(() => pictures.change(from, mime, edits.filter(isChange), to));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new Problem(
      500,
      'rest_unknown_image_file_type',
      'The picture cannot be read any more.',
      {},
      { cause: error },
    );
  }
}

/** Made, named and kept; nothing where none is missing. */
async function missingCopies(
  { pictures, places, files }: LibraryNeeds,
  { path }: Laid,
  file: MediaFile,
  original: string,
): Promise<Pick<MediaFile, 'sizes' | 'isUnfinished'> | undefined> {
  const extension = extensionOf(original);
  const mime = mimeOf(original);
  const stem = original.replace(/^.*\//, '').slice(0, -extension.length - 1);
  const picture = await pictures.look(path, mime);
  const lacking = wantedCopies({ mime, picture }).filter(({ label }) => label !== scaled && !(label in file.sizes));
  if (lacking.length === 0) return file.isUnfinished ? { sizes: {}, isUnfinished: false } : undefined;
  const copies = await makeCopies(pictures, { path, mime, picture }, lacking);
  const sizes: Record<string, MediaFile['sizes'][string]> = {};
  try {
    await eachAtOnce(eachOf(copies.made), 1, async ([label, copy]) => {
      const paths = (name: string) => [besides(original, nameOf(name, copy, extension))];
      const shared = pathsOf(file).includes(paths(stem)[0]!);
      const name = shared ? stem : await places.take({ stem, paths });
      await files.put(paths(name)[0]!, createReadStream(copy.path), { type: mime });
      const { width, height, size: filesize } = copy;
      sizes[label] = { file: nameOf(name, copy, extension), width, height, filesize, mime_type: mime };
    });
  } finally {
    await copies.release();
  }
  return { sizes, isUnfinished: copies.isUnfinished };
}
