// Files that people send: judged, named, kept with their copies, and known by a record.
import type { Post } from '../posts/post.ts';
import { type Copies, makeCopies } from './copies.ts';
import { createEdit } from './edit.ts';
import { imageTooLarge, OutOfTime } from './failing.ts';
import { createFinish } from './finish.ts';
import { createHeld } from './held.ts';
import { type Judged, judged, refusing } from './judging.ts';
import { createKeep, type LibraryNeeds } from './keeping.ts';
import type { Arrived, MediaLibrary, Uploading } from './media.ts';
import { stemOf } from './names.ts';
import type { Picture, Pictures } from './picture.ts';
import { filesOf, pathsOf } from './rows.ts';

export function createMediaLibrary(needs: LibraryNeeds): MediaLibrary {
  const { store, posts, places, pictures, uploads } = needs;
  const { db } = store;
  const urlOf = (file: string): string => `${uploads}/${file.split('/').map(encodeURIComponent).join('/')}`;
  const keep = createKeep(needs, urlOf);
  const held = createHeld(needs);

  const at = async (url: string): Promise<Post | undefined> => {
    const path = pathBelow(uploads, url);
    if (path === undefined) return undefined;
    const row = await db.selectFrom('media_paths').select('post_id').where('path', '=', path).executeTakeFirst();
    return row?.post_id ? posts.find(row.post_id) : undefined;
  };

  return {
    files: store.gathered((ids) => filesOf(db, ids)),
    urlOf,
    at,
    async add(arrived, said, writing, how: Uploading = {}) {
      const known = await judged(arrived, how, pictures);
      const copies = await refusing(arrived, () => copiesOf(pictures, arrived, known, how));
      try {
        return await keep({ arrived, judged: known, stem: stemOf(arrived.name), copies, how }, said, writing);
      } finally {
        await copies.release();
      }
    },
    async change(post, { alt_text, ...said }, writing) {
      return posts.change(post, said, {
        ...writing,
        alongside: async (tx, changed) => {
          if (alt_text !== undefined)
            await tx.updateTable('media').set({ alt_text }).where('post_id', '=', post.id).execute();
          await writing.alongside?.(tx, changed);
        },
      });
    },
    async erase(post, doing) {
      const file = (await filesOf(db, [post.id])).get(post.id);
      const erased = await posts.erase(post, doing);
      if (file !== undefined) await places.clearReleased(pathsOf(file));
      return erased;
    },
    finish: createFinish(needs, held),
    edit: createEdit(needs, { held, keep, at }),
  };
}

const noCopies: Copies = { made: new Map(), isUnfinished: false, release: async () => {} };

async function copiesOf(pictures: Pictures, { path }: Arrived, { kind, picture }: Judged, { sized }: Uploading) {
  if (picture === undefined) return noCopies;
  const wanted = sized === false ? [] : undefined;
  const copies = await makeCopies(pictures, { path, mime: kind.mime, picture }, wanted);
  // A picture of which no copy is made has been read by nobody.
  if (copies.made.size === 0 && !copies.isUnfinished) await proved(pictures, path, picture);
  return copies;
}

async function proved(pictures: Pictures, path: string, picture: Picture): Promise<void> {
  try {
    await pictures.inTurn(picture.weight, () => pictures.prove(path, picture));
  } catch (error) {
    throw error instanceof OutOfTime ? imageTooLarge() : error;
  }
}

/** Nothing, for an address that is none of ours. */
function pathBelow(uploads: string, url: string): string | undefined {
  const bare = url.split(/[?#]/, 1)[0]!;
  if (!bare.startsWith(`${uploads}/`)) return undefined;
  try {
    return decodeURIComponent(bare.slice(uploads.length + 1));
  } catch {
    return undefined;
  }
}
