import type { Insertable, Selectable } from 'kysely';
import type { ImageSize } from '#lib/image-sizes.ts';
import { flag } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { Doing } from '../../identity/doing.ts';
import type { Changing, Post, PostInput } from '../posts/post.ts';
import type { ContentTables, MediaTable, Writing as Tx } from '../tables.ts';
import type { MediaLocks } from './locks.ts';
import type { Placeholder } from './placeholder.ts';
import type { Dimensions } from './sizes.ts';
import { type AllVariants, variantNames } from './variants.ts';

/** A smaller copy of a picture, beside it. */
export interface SubSize {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly filesize: number;
  readonly mime_type: string;
}

/** What is kept of the file of a record. */
export interface MediaFile {
  /** Below the uploads: `2026/11/picture.jpg`. */
  readonly file: string;
  readonly original: string | null;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt_text: string;
  readonly sizes: Readonly<Record<string, SubSize>>;
  /** What the camera said, how long it plays … as the interface shows it. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly isUnfinished: boolean;
  /** What stands for a picture until it is there. Files of earlier versions have none until their copies are regenerated. */
  readonly placeholder?: Placeholder | undefined;
  /** How large the file is that came, upright, where `file` is a smaller one made from it. Likewise unknown of earlier versions. */
  readonly uploaded?: Dimensions | undefined;
  /** The same pictures in newer types, by the name of the file that each is made from. */
  readonly variants?: AllVariants | undefined;
  /** The name of the file as it was uploaded, if it was replaced by a smaller one. The public does not get it. */
  readonly backup?: string | undefined;
}

/** `2026/11/picture.jpg`, as `2026/11/picture.bak.jpg`. No upload has such a name. */
export const backupOf = (path: string): string => path.replace(/(\.[^./]+)$/, '.bak$1');
export const isBackup = (path: string): boolean => /\.bak\.[a-z\d]+$/i.test(path);

/** A file that has arrived and lies aside on this machine until it is kept or let go. */
export interface UploadedFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Whether it was a part of a form: what refuses it is called otherwise then. */
  readonly inForm: boolean;
}

/** One change of a picture. */
export interface Edit {
  /** In degrees, as a clock goes. */
  readonly rotate?: number;
  readonly flip?: { readonly horizontal: boolean; readonly vertical: boolean };
  /** In percent. */
  readonly crop?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

export interface MediaInput extends PostInput {
  readonly alt_text?: string;
}

export interface UploadOptions {
  /** Whether smaller copies are made; where nobody says, whatever can be made is. */
  readonly sized?: boolean | undefined;
  /** Below the uploads: `2026/11`. By month, where nobody says. */
  readonly folder?: string;
  /** What is done, for work that is done again when it was broken off: names that were taken for it then are taken over. */
  readonly work?: string;
  /** How the record is made, where that is not as people make one. */
  readonly record?: (titled: MediaInput, file: NewFile) => Promise<Post>;
}

/** What the record of a file is made with: what is true of it, and what else is kept in the same write. */
export type NewFile = Required<Pick<Changing, 'file' | 'alongside'>>;

type Writing = Omit<Changing, 'file'>;

export interface RegenerateOptions {
  /** Copies that are there, as large as they should be, stay as they are. */
  readonly onlyMissing: boolean;
  /** Deletes copies of sizes that are not registered, and their files. */
  readonly deleteUnregistered: boolean;
  /** Listeners do not hear of the new files. */
  readonly isQuiet?: true;
}

/** Files that replace others, and what the record says then. */
export interface ChangedFiles {
  /** Files on this machine, by the path that each gets: a path of the record, or one that was reserved. */
  readonly placed: ReadonlyMap<string, string>;
  /** The work for which paths were reserved, and these paths. */
  readonly claim: string;
  readonly reserved: readonly string[];
  /** The record afterwards, made from the record as it is in the write. */
  record(now: MediaFile): MediaFile;
  readonly mime_type?: string;
  /** Paths whose files go. Those that the record still has stay. */
  readonly removed?: readonly string[];
  /** Paths whose files go, and where requests for them are sent. The names stay taken. */
  readonly moved?: ReadonlyMap<string, string>;
  /** What else is kept in the same write. */
  alongside?(tx: Tx, file: MediaFile): Promise<void>;
}

export interface RegeneratedFile {
  readonly file: MediaFile;
  /** Labels of the copies that were made. */
  readonly made: readonly string[];
  /** Paths of the files that were deleted. */
  readonly deleted: readonly string[];
}

/** Throws what refuses an upload. */
export type ArrivalCheck = (arrived: UploadedFile) => Promise<void>;

/** One more copy of a picture. */
export interface CropRequest extends Dimensions {
  /** By which the copy is listed among the sizes of the picture. */
  readonly label: string;
  /** What the name of its file ends in: `-640x480_c`. */
  readonly suffix: string;
  /** Whether what does not fit is cut off; else the copy is stretched to these dimensions. */
  readonly crop: boolean;
  readonly position?: string;
  readonly quality?: number;
  /** Makes a copy again that is there. */
  readonly overwrite?: boolean;
}

export interface MediaLibrary {
  /** From now on, each upload is checked before anything of it is kept. Returns how to end that. */
  checkArrivals(check: ArrivalCheck): () => void;
  /** Whether SVG drawings are taken, asked at each upload. They are cleaned before they are kept. Returns how to end that. */
  takeDrawings(isOn: () => Promise<boolean>): () => void;
  /** Of these records. */
  files(posts: readonly number[]): Promise<Map<number, MediaFile>>;
  /** Judges the bytes, names and keeps the file with its smaller copies, and makes the record. */
  add(arrived: UploadedFile, said: MediaInput, writing: Writing, how?: UploadOptions): Promise<Post>;
  change(post: Post, said: MediaInput, writing: Writing): Promise<Post>;
  /** Makes what copies are still missing. */
  finish(post: Post, doing: Doing<Post>): Promise<Post>;
  /** The registered sizes of copies. */
  readonly sizes: readonly ImageSize[];
  /**
   * Makes the copies again, or those that are missing. The file that came is only read. Throws `Malformed` and `OutOfTime`; then all
   * stays as it was.
   */
  regenerate(post: Post, options: RegenerateOptions, doing: Doing<Post>): Promise<RegeneratedFile>;
  /** Makes one more copy, or finds it. Throws `Malformed` and `OutOfTime`. */
  crop(post: Post, request: CropRequest, doing: Doing<Post>): Promise<SubSize>;
  /** Replaces files of a record, adds some and removes others, with one write of the record. See `ChangedFiles`. */
  changeFiles(post: Post, changes: ChangedFiles, doing: Doing<Post>): Promise<MediaFile>;
  /** Reserves a name for this work, if it is free. */
  reserve(post: Pick<Post, 'id'>, path: string, claim: string): Promise<'reserved' | 'own' | 'taken'>;
  /** The name itself or one with a number, reserved for this work. */
  reserveFree(path: string, claim: string): Promise<string>;
  /** Gives back names that were reserved and not used. */
  giveBack(paths: readonly string[], claim: string): Promise<void>;
  /** One change of the files of a media item at a time, among all processes. */
  readonly locks: MediaLocks;
  /** How large the original is, upright. Throws `Malformed`. */
  measure(file: MediaFile): Promise<Dimensions>;
  /** Which of these files, below the uploads, are there. */
  existing(paths: readonly string[]): Promise<Set<string>>;
  /** A new record with the picture changed. `source`: the address of the file or of one of its copies. */
  edit(post: Post, source: string, edits: readonly Edit[], said: MediaInput, writing: Writing): Promise<Post>;
  /** For good, with all its files. */
  erase(post: Post, doing: Doing<Post>): Promise<Post>;
  /** The public address of a file below the uploads. */
  urlOf(file: string): string;
  /** The record whose file, or one of whose copies, has this address. */
  at(url: string): Promise<Post | undefined>;
}

// Rows of media files, and the files as the rest of the site sees them.

type Db = Reads<Pick<ContentTables, 'media'>>;

interface Details extends Pick<MediaFile, 'placeholder' | 'uploaded' | 'variants' | 'backup'> {
  readonly sizes: Record<string, SubSize>;
  readonly about: Record<string, unknown>;
}

/** A part of one statement each. */
const atOnce = 500;

export async function filesOf(db: Db, posts: readonly number[]): Promise<Map<number, MediaFile>> {
  const found = new Map<number, MediaFile>();
  for (let at = 0; at < posts.length; at += atOnce) {
    const some = posts.slice(at, at + atOnce);
    const rows = await db.selectFrom('media').selectAll().where('post_id', 'in', some).execute();
    for (const row of rows) found.set(row.post_id, fileOf(row));
  }
  return found;
}

function fileOf({ post_id: _, details, unfinished, ...row }: Selectable<MediaTable>): MediaFile {
  return { ...row, ...(JSON.parse(details) as Details), isUnfinished: unfinished === 1 };
}

export function rowOf(post_id: number, media: MediaFile): Insertable<MediaTable> {
  const { sizes, about, placeholder, uploaded, variants, backup, isUnfinished, ...file } = media;
  const details = { sizes, about, placeholder, uploaded, variants, backup } satisfies Details;
  return { ...file, post_id, details: JSON.stringify(details), unfinished: flag(isUnfinished) };
}

/** The paths of the picture and its copies. */
export function picturePathsOf({ file, original, sizes }: Pick<MediaFile, 'file' | 'original' | 'sizes'>): string[] {
  const copies = Object.values(sizes).map((size) => inFolderOf(file, size.file));
  return [...new Set([file, ...(original === null ? [] : [inFolderOf(file, original)]), ...copies])];
}

/** Every path below the uploads that belongs to it. */
export function pathsOf(media: MediaFile): string[] {
  const { file, backup } = media;
  return [
    ...picturePathsOf(media),
    ...variantPathsOf(media),
    ...(backup === undefined ? [] : [inFolderOf(file, backup)]),
  ];
}

export const variantPathsOf = ({ file, variants }: Pick<MediaFile, 'file' | 'variants'>): string[] =>
  variantNames(variants).map((name) => inFolderOf(file, name));

/** The path of another file in the same folder. */
export const inFolderOf = (file: string, name: string): string => file.replace(/[^/]*$/, name);
