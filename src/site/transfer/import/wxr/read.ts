// An export file, told one thing after the other as it is read: no more of it than one thing is held at a time.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import { attributesIn } from '#lib/xml.ts';
import { transferErrors } from '../../errors.ts';
import type { Fault } from '../report.ts';
import type { TheirComment, TheirRecord, TheirTerm, TheirUser } from '../theirs.ts';
import { type Gathered, Gathering, type Thing } from './frames.ts';
import { commentOf, type Logins, recordOf, termOf, userOf } from './things.ts';

export type Piece =
  /** The address of the site it was written by: known before anything else. */
  | { readonly kind: 'source'; readonly url: string }
  | { readonly kind: 'user'; readonly user: TheirUser; readonly size: number }
  | { readonly kind: 'term'; readonly term: TheirTerm; readonly size: number }
  | {
      readonly kind: 'record';
      readonly record: TheirRecord;
      readonly comments: readonly TheirComment[];
      /** What it takes to hold it, in letters; of users and terms the same. */
      readonly size: number;
    }
  /** About the record before, which has more than are held at once. */
  | { readonly kind: 'comments'; readonly comments: readonly TheirComment[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** A file is read as it comes, so this is only what no site has. */
const largest = 16 * 2 ** 30;
const atOnce = 2 ** 18;

/** How many bytes of how many have been read. What it throws ends the reading. */
export type Passed = (bytes: number, of: number) => void | Promise<void>;

/** Refuses what is no export before it tells anything; from then on it tells what is wrong as a fault. */
export async function* readExport(path: string, passed: Passed): AsyncGenerator<Piece> {
  const file = await opened(path);
  try {
    const { size } = await file.stat();
    if (size > largest) throw transferErrors.wxrTooLarge();
    const reader = new Reader();
    const decoder = new TextDecoder();
    for (let at = 0; ; ) {
      const bytes = await nextOf(file, at).catch(unreadable(path));
      if (bytes instanceof Problem) yield reader.cut(bytes);
      if (bytes instanceof Problem || bytes.length === 0) break;
      at += bytes.length;
      await passed(at, size);
      yield* reader.read(decoder.decode(bytes, { stream: true }));
    }
    yield* reader.end(decoder.decode());
  } finally {
    await file.close();
  }
}

const unreadable = (path: string) => (): Problem => transferErrors.invalidWxr(`The file ${path} cannot be read.`);

// Whoever opens a pipe would wait for somebody who writes to it.
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

async function opened(path: string): Promise<FileHandle> {
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch(() => {
    throw unreadable(path)();
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw transferErrors.invalidWxr(`${path} is not a file. Name an export file, not a folder or a pipe.`);
}

async function nextOf(file: FileHandle, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(atOnce), 0, atOnce, at);
  return buffer.subarray(0, bytesRead);
}

const reasons: Readonly<Record<string, string>> = {
  malformed: 'The XML is not valid here, so the record around it was not imported.',
  truncated: 'The file ends in the middle of this record.',
  text_too_long: 'A text can have at most 8 MiB.',
  too_large: 'The record has too many parts.',
};

/** Where the address of the other site stands, the best first. */
const places = ['wp:base_blog_url', 'wp:base_site_url', 'link'];

const older = /^https?:\/\/wordpress\.org\/export\/1\.[0-2]\/$/;

class Reader {
  readonly #gathering = new Gathering();
  readonly #logins: Logins = new Map();
  readonly #said: Record<string, string> = {};
  #isKnown = false;
  #isSaid = false;
  /** Whether the record under way was handed on already. */
  #isBegun = false;

  *read(text: string): Generator<Piece> {
    for (const one of this.#gathering.feed(text)) yield* this.#taken(one);
  }

  *end(text: string): Generator<Piece> {
    yield* this.read(text);
    for (const one of this.#gathering.end()) yield* this.#taken(one);
    if (!this.#isKnown) throw noExport();
  }

  /** What cannot be read on: refused, unless something of it is here by now. */
  cut(problem: Problem): Piece {
    if (!this.#isSaid) throw problem;
    const { code, message } = problem;
    return { kind: 'fault', fault: { line: this.#gathering.line, title: 'rss', code, message } };
  }

  *#taken(one: Gathered): Generator<Piece> {
    if (one.kind === 'doctype')
      throw transferErrors.invalidWxr(
        `Line ${one.line} holds a document type. Export files do not have one, so the file is not imported.`,
      );
    if (one.kind === 'open') this.#opened(one);
    if (one.kind === 'text') this.#text(one);
    if (one.kind === 'broken') yield* this.#broken(one);
    if (one.kind === 'thing') yield* this.#thing(one.thing, one.isOver);
  }

  #opened({ name, attributes }: Gathered & { kind: 'open' }): void {
    if (this.#isKnown) return;
    if (['item', 'wp:author'].includes(name)) throw noExport();
    if (name !== 'rss') return;
    const version = attributesIn(attributes)['xmlns:wp'];
    if (version !== undefined && !older.test(version)) throw noExport();
  }

  #text({ name, text }: Gathered & { kind: 'text' }): void {
    if (name === 'wp:wxr_version') this.#isKnown = true;
    if (!this.#isSaid && places.includes(name) && text.length < 2_000) this.#said[name] ??= text.trim();
  }

  *#broken({ name, line, code, title }: Gathered & { kind: 'broken' }): Generator<Piece> {
    if (!this.#isKnown) throw noExport();
    this.#isBegun = false;
    yield { kind: 'fault', fault: { line, title: title || name, code, message: `${reasons[code]} (<${name}>)` } };
  }

  *#thing(thing: Thing, isOver: boolean): Generator<Piece> {
    if (!this.#isKnown) throw noExport();
    if (!this.#isSaid) yield { kind: 'source', url: this.#source() };
    this.#isSaid = true;
    if (thing.name === 'wp:author') yield { kind: 'user', user: userOf(thing, this.#logins), size: thing.size };
    else if (thing.name === 'item') yield* this.#item(thing, isOver);
    else yield { kind: 'term', term: termOf(thing), size: thing.size };
  }

  *#item(thing: Thing, isOver: boolean): Generator<Piece> {
    const comments = thing.things
      .filter(({ name }) => name === 'wp:comment')
      .map((one) => commentOf(one, this.#logins));
    if (this.#isBegun) yield { kind: 'comments', comments };
    else yield { kind: 'record', record: recordOf(thing), comments, size: thing.size };
    this.#isBegun = !isOver;
  }

  #source(): string {
    const url = places.map((name) => this.#said[name]).find(Boolean) ?? '';
    return /^https?:\/\/[^\s<>"']+$/.test(url) ? url.replace(/\/+$/, '') : '';
  }
}

const noExport = (): Problem => transferErrors.invalidWxr('This is not a WXR export file: it has no WXR version.');
