import type { Doing } from '../../identity/doing.ts';
import type { Changing, Post, Said } from '../posts/post.ts';

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
}

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

export interface MediaInput extends Said {
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

export interface MediaLibrary {
  /** Of these records. */
  files(posts: readonly number[]): Promise<Map<number, MediaFile>>;
  /** Judges the bytes, names and keeps the file with its smaller copies, and makes the record. */
  add(arrived: UploadedFile, said: MediaInput, writing: Writing, how?: UploadOptions): Promise<Post>;
  change(post: Post, said: MediaInput, writing: Writing): Promise<Post>;
  /** Makes what copies are still missing. */
  finish(post: Post, doing: Doing<Post>): Promise<Post>;
  /** A new record with the picture changed. `source`: the address of the file or of one of its copies. */
  edit(post: Post, source: string, edits: readonly Edit[], said: MediaInput, writing: Writing): Promise<Post>;
  /** For good, with all its files. */
  erase(post: Post, doing: Doing<Post>): Promise<Post>;
  /** The public address of a file below the uploads. */
  urlOf(file: string): string;
  /** The record whose file, or one of whose copies, has this address. */
  at(url: string): Promise<Post | undefined>;
}
