// Stores an upload: first it reserves the names, then it writes the files, then the record. A failure on the way removes them again.
// When it is not known whether the record was written, the database decides.
import { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import { forEachConcurrently } from '#lib/concurrency.ts';
import { wallTime, type Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../files/files.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Post, Posts } from '../posts/post.ts';
import type { ContentTables } from '../tables.ts';
import { type Copies, nameOf, scaled, subSizes } from './copies.ts';
import type { InspectedUpload } from './inspect-upload.ts';
import type { MediaFile, MediaInput, MediaLibrary, NewFile, UploadedFile, UploadOptions } from './media.ts';
import type { Pictures } from './picture.ts';
import { claimFor, type ReservedPaths, settlePaths } from './reserved-paths.ts';
import { inFolderOf, rowOf } from './rows.ts';

export interface LibraryDeps {
  readonly store: Store<ContentTables>;
  readonly clock: Clock;
  readonly files: Files;
  readonly posts: Pick<Posts, 'add' | 'change' | 'erase' | 'find'>;
  readonly places: ReservedPaths;
  readonly pictures: Pictures;
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
  { store, clock, files, posts, places, zone }: LibraryDeps,
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
    const made = async (): Promise<Post> => {
      const laid = namesOf(copies, stem, kind.extension);
      await forEachConcurrently(eachOf(laid), 8, async ([name, from]) => {
        await files.adopt(at(name), from ?? arrived.path, { type: kind.mime });
      });
      const file = { ...fileOf(arrived, known, copies, { folder, stem }), alt_text };
      const titled = { title: wanted, ...said };
      const making: NewFile = {
        file: { mime_type: kind.mime, guid: urlOf(file.file) },
        alongside: async (tx, made) => {
          const all = { ...file, about: { ...file.about, ...about } };
          await tx.insertInto('media').values(rowOf(made.id, all)).execute();
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
  { kind, picture, about }: InspectedUpload,
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
    width: shown?.width ?? picture?.width ?? null,
    height: shown?.height ?? picture?.height ?? null,
    alt_text: '',
    sizes: subSizes(copies, stem, extension, mime),
    about,
    isUnfinished: copies.isUnfinished,
  };
}

/** The record is there, and a client can ask for the rest. */
export const unfinished = ({ id }: Pick<Post, 'id'>): Problem =>
  new Problem(
    503,
    'rest_upload_unfinished',
    'The file is kept, but there was no time for all of its smaller copies. Please ask for the rest.',
    {},
    { headers: { 'X-WP-Upload-Attachment-ID': String(id) } },
  );
