// Stores an upload: first it reserves the names, then it writes the files, then the record. A failure on the way removes them again.
// When it is not known whether the record was written, the database decides.
import type { Problem } from '#kernel/problem.ts';
import type { Laid, Spool } from '#kernel/upload.ts';
import { forEachConcurrently } from '#lib/concurrency.ts';
import { fold } from '#lib/fold.ts';
import type { ImageSize } from '#lib/image-sizes.ts';
import { wallTime, type Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../files/files.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import { contentErrors } from '../errors.ts';
import type { Post, Posts } from '../posts/post.ts';
import type { ContentTables } from '../tables.ts';
import { type Copies, nameOf, scaled, subSizes } from './copies.ts';
import type { InspectedUpload } from './inspect-upload.ts';
import {
  filesOf,
  inFolderOf,
  type MediaFile,
  type MediaInput,
  type MediaLibrary,
  type NewFile,
  rowOf,
  type UploadedFile,
  type UploadOptions,
} from './media.ts';
import type { Pictures } from './picture.ts';
import { Malformed } from './picture-errors.ts';
import { claimFor, type ReservedPaths, settlePaths } from './reserved-paths.ts';

export interface LibraryDeps {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly clock: Clock;
  readonly events: Pick<Events, 'emit'>;
  readonly files: Files;
  readonly posts: Pick<Posts, 'add' | 'change' | 'erase' | 'find'>;
  readonly places: ReservedPaths;
  readonly pictures: Pictures;
  /** The registered sizes of copies. */
  readonly sizes: readonly ImageSize[];
  readonly spool: Spool;
  /** As it is now: ask each time. */
  zone(): Zone | Promise<Zone>;
  /** The public address of the uploads, without a slash at its end. */
  readonly uploads: string;
}

/** An inspected file with its copies, and the name that it is to get. */
export interface StorableFile {
  readonly arrived: UploadedFile;
  readonly inspected: InspectedUpload;
  readonly stem: string;
  readonly copies: Copies;
  /** Details beside those that the file itself gives. */
  readonly about?: Readonly<Record<string, unknown>>;
  readonly how?: Pick<UploadOptions, 'folder' | 'record' | 'work'>;
}

export type StoreFile = (
  keeping: StorableFile,
  said: MediaInput,
  writing: Parameters<MediaLibrary['add']>[2],
) => Promise<Post>;

export function createStoreFile(
  { store, clock, events, files, posts, places, zone }: LibraryDeps,
  urlOf: MediaLibrary['urlOf'],
): StoreFile {
  /** By month: of what it is attached to, or of today. */
  const folderFor = async (parent: number | undefined): Promise<string> => {
    const other = parent
      ? await store.db.selectFrom('posts').select('date').where('id', '=', parent).executeTakeFirst()
      : undefined;
    return (other?.date ?? wallTime(await zone(), clock())).slice(0, 7).replace('-', '/');
  };

  return async (keeping, { alt_text = '', ...said }, writing) => {
    const { arrived, inspected: known, stem: wanted, copies, about, how = {} } = keeping;
    const { kind } = known;
    const folder = how.folder ?? (await folderFor(said.parent));
    const at = (name: string) => `${folder}/${name}`;
    const paths = (stem: string) => [...namesOf(copies, stem, kind.extension).keys()].map(at);
    const claim = how.work === undefined ? undefined : claimFor(how.work);
    const stem = await places.take({ stem: wanted, paths, claim });
    const laidOut = fileOf(arrived, known, copies, { folder, stem });
    const file: MediaFile = { ...laidOut, alt_text, about: { ...laidOut.about, ...about } };
    const made = async (): Promise<Post> => {
      const laid = namesOf(copies, stem, kind.extension);
      await forEachConcurrently(eachOf(laid), 8, async ([name, from]) => {
        await files.adopt(at(name), from ?? arrived.path, { type: kind.mime });
      });
      const titled = { title: wanted, ...said };
      const making: NewFile = {
        file: { mime_type: kind.mime, guid: urlOf(file.file) },
        alongside: async (tx, made) => {
          await tx.insertInto('media').values(rowOf(made.id, file)).execute();
          await settlePaths(tx, paths(stem), made.id, claim);
          await writing.alongside?.(tx, made);
        },
      };
      const make = how.record ?? ((all, own) => posts.add('attachment', all, { ...writing, ...own }));
      return make(titled, making);
    };
    const post = await made().catch(async (error) => {
      // What cannot be cleared now is swept.
      await places.clear(paths(stem), claim).catch(() => {});
      throw error;
    });
    events.emit('media.added', { post, file });
    if (copies.isUnfinished) throw unfinished(post);
    return post;
  };
}

export async function* eachOf<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all;
}

/** Every file by its name, and where its bytes lie; nothing for the file that came. */
function namesOf({ made }: Copies, stem: string, extension: string): Map<string, string | undefined> {
  const named = [...made].map(([label, copy]) => {
    const name = label === scaled ? `${stem}-scaled.${extension}` : nameOf(stem, copy, extension);
    return [name, copy.path] as const;
  });
  return new Map([[`${stem}.${extension}`, undefined], ...named]);
}

function fileOf(
  { size }: UploadedFile,
  { kind, picture, dimensions, about }: InspectedUpload,
  copies: Copies,
  { folder, stem }: { readonly folder: string; readonly stem: string },
): MediaFile {
  const { extension, mime } = kind;
  const own = `${folder}/${stem}.${extension}`;
  const shown = copies.made.get(scaled);
  return {
    file: shown === undefined ? own : inFolderOf(own, `${stem}-scaled.${extension}`),
    original: shown === undefined ? null : `${stem}.${extension}`,
    size: shown?.size ?? size,
    width: shown?.width ?? picture?.width ?? dimensions?.width ?? null,
    height: shown?.height ?? picture?.height ?? dimensions?.height ?? null,
    alt_text: '',
    sizes: subSizes(copies, stem, extension, mime),
    about,
    isUnfinished: copies.isUnfinished,
    placeholder: copies.placeholder,
    uploaded: shown && picture && { width: picture.width, height: picture.height },
  };
}

/** The record is there, and a client can ask for the rest. */
export const unfinished = ({ id }: Pick<Post, 'id'>): Problem =>
  contentErrors.uploadUnfinished().with({}, { headers: { 'X-WP-Upload-Attachment-ID': String(id) } });

// Names of files as they are kept: what every system and address can carry, and nothing that leads elsewhere.

const longest = 180;

/** A letter with signs, as the plain one that is read for it; capitals stay. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/\P{ASCII}/gu, (letter) => {
      const folded = fold(letter);
      if (!/^[a-z]+$/.test(folded)) return letter;
      return letter === letter.toLowerCase() ? folded : folded.replace(/^./, (first) => first.toUpperCase());
    });

/** The name without its ending. Further endings are none any more: `a.php.jpg` is `a-php`. */
export function stemOf(name: string): string {
  const bare = plain(name.slice(0, 1_000).toWellFormed()).replace(/\.[^.]*$/, '');
  const cleaned = bare
    .replace(/[\s./\\–—]+/gu, '-')
    .replace(/[^\p{L}\p{N}_-]+/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  return shortened(cleaned) || 'file';
}

/** In bytes, between two letters. */
function shortened(text: string): string {
  let short = text;
  while (Buffer.byteLength(short) > longest) short = [...short].slice(0, -1).join('');
  return short;
}

/** The stem of the next copy of a picture that was changed. */
export const editedStem = (file: string): string => {
  const stem = file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  return `${stem.replace(/-(?:scaled|edited(?:-\d+)?)$/, '')}-edited`;
};

// The original file of a record: its row, and a copy of its bytes on this machine to work on.

export interface OriginalFiles {
  of(post: Post): Promise<MediaFile>;
  /** The picture as it was uploaded, however large. */
  copyAside(file: MediaFile, gone: () => Problem): Promise<Laid>;
}

export const originalPath = ({ file, original }: MediaFile): string =>
  original === null ? file : inFolderOf(file, original);

export function createOriginalFiles({
  store,
  files,
  spool,
}: Pick<LibraryDeps, 'store' | 'files' | 'spool'>): OriginalFiles {
  return {
    async of({ id }) {
      const file = (await filesOf(store.db, [id])).get(id);
      if (file === undefined) throw contentErrors.postInvalidId().saying('The file of this record does not exist.');
      return file;
    },
    async copyAside(file, gone) {
      const opened = await files.open(originalPath(file));
      if (opened === undefined) throw gone();
      return spool(opened.stream);
    },
  };
}

export const unreadable = (cause: unknown): Problem => contentErrors.unknownImageFileType().because(cause);

/** Reports a file that was a picture when it was uploaded and is damaged now. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Malformed ? unreadable(error) : error;
  }
}
