// Files that users upload: each is inspected, named, stored with its copies, and belongs to a record.
import { hour } from '#lib/spans.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Events } from '../../platform/events.ts';
import { contentErrors } from '../errors.ts';
import type { Post } from '../posts/post.ts';
import { createChangeFiles } from './change-files.ts';
import { makeCopies, noCopies, wantedCopies } from './copies.ts';
import { createCrop } from './crop.ts';
import { createEdit } from './edit.ts';
import { createFinish } from './finish.ts';
import { type InspectedUpload, inspectOrClean, refuseDamaged } from './inspect-upload.ts';
import { createMediaLocks } from './locks.ts';
import { type ArrivalCheck, filesOf, type MediaLibrary, type UploadedFile, type UploadOptions } from './media.ts';
import { createPictures, type PicturesOptions } from './picture.ts';
import { createMeasure, createRegenerate, existingOf } from './regenerate.ts';
import { createReservedPaths, type ReservedPaths } from './reserved-paths.ts';
import { createOriginalFiles, createStoreFile, type LibraryDeps, stemOf } from './store-file.ts';

interface MediaDeps extends Omit<LibraryDeps, 'places' | 'pictures'> {
  readonly jobs: Jobs;
  readonly events: Events;
  readonly pictures?: PicturesOptions;
}

export function createMedia({ jobs, pictures, ...deps }: MediaDeps): MediaLibrary {
  const places = createReservedPaths(deps);
  scheduleSweep(places, jobs);
  return createMediaLibrary({ ...deps, places, pictures: createPictures(pictures) });
}

/**
 * A process can die before it erases files. So this job erases the files that no record holds: those of deleted records, and after a
 * day those of uploads that broke off.
 */
function scheduleSweep(places: ReservedPaths, jobs: Jobs): void {
  const name = 'media.sweep';
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes files without a record',
    attempts: 3,
    run: async (_, { signal }) => ({ files: await places.sweep(() => signal.throwIfAborted()) }),
  });
  jobs.schedule({ name, every: 6 * hour, add: () => queue.add(null, { key: name }) });
}

/** Drawings are taken while one of those who decide about them says so. */
function createDrawings() {
  const deciding = new Set<() => Promise<boolean>>();
  return {
    take(isOn: () => Promise<boolean>): () => void {
      deciding.add(isOn);
      return () => void deciding.delete(isOn);
    },
    areTaken: async () => (await Promise.all([...deciding].map((isOn) => isOn()))).includes(true),
  };
}

function createMediaLibrary(needs: LibraryDeps): MediaLibrary {
  const { store, posts, places, pictures, uploads } = needs;
  const { db } = store;
  const urlOf = (file: string): string => `${uploads}/${file.split('/').map(encodeURIComponent).join('/')}`;
  const storeFile = createStoreFile(needs, urlOf);
  const originals = createOriginalFiles(needs);
  const checks = new Set<ArrivalCheck>();
  const drawings = createDrawings();

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
    checkArrivals(check) {
      checks.add(check);
      return () => void checks.delete(check);
    },
    takeDrawings: drawings.take,
    async add(came, said, writing, how: UploadOptions = {}) {
      for (const check of checks) await check(came);
      const { arrived, inspected: known } = await inspectOrClean(came, how, pictures, drawings.areTaken);
      const copies = await refuseDamaged(arrived, () => copiesOf(needs, arrived, known, how));
      try {
        return await storeFile({ arrived, inspected: known, stem: stemOf(arrived.name), copies, how }, said, writing);
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
      const owned = await db.selectFrom('media_paths').select('path').where('post_id', '=', post.id).execute();
      const erased = await posts.erase(post, doing);
      await places.clearReleased(owned.map(({ path }) => path));
      return erased;
    },
    sizes: needs.sizes,
    finish: createFinish(needs, originals),
    regenerate: createRegenerate(needs, originals),
    crop: createCrop(needs, originals),
    ...changing(needs),
    locks: createMediaLocks(needs),
    measure: createMeasure(needs, originals),
    existing: (paths) => existingOf(needs.files, paths),
    edit: createEdit(needs, { originals, storeFile, at }),
  };
}

/** For those who put other files in the place of those of a record. */
const changing = (needs: LibraryDeps): Pick<MediaLibrary, 'changeFiles' | 'reserve' | 'reserveFree' | 'giveBack'> => ({
  changeFiles: createChangeFiles(needs),
  reserve: ({ id }, path, claim) => needs.places.takeExactly(path, claim, id),
  async reserveFree(path, claim) {
    const [, folder = '', stem = '', ending = ''] = /^(.*\/)?(.*?)((?:\.[^./]*)?)$/.exec(path) ?? [];
    const paths = (one: string) => [`${folder}${one}${ending}`];
    return paths(await needs.places.take({ stem, paths, claim }))[0]!;
  },
  giveBack: (paths, claim) => needs.places.clear(paths, claim),
});

async function copiesOf(
  { pictures, sizes }: Pick<LibraryDeps, 'pictures' | 'sizes'>,
  { path }: UploadedFile,
  { kind, picture }: InspectedUpload,
  { sized }: UploadOptions,
) {
  if (picture === undefined) return noCopies;
  const source = { path, mime: kind.mime, picture };
  const wanted = sized === false ? [] : wantedCopies(source, sizes);
  const copies = await makeCopies(pictures, source, wanted);
  // A picture of which no copy is made is read for its placeholder alone: without one, nobody knows whether it is whole.
  if (wanted.length === 0 && copies.isUnfinished) throw contentErrors.imageTooLarge();
  return copies;
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
