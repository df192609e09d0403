// An export file, told one thing after the other as it is read: no more of it than one thing is held at a time.
import { open } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import { attributesIn } from '#lib/xml-tokens.ts';
import type { Fault } from '../report.ts';
import type { TheirComment, TheirRecord, TheirTerm, TheirUser } from '../theirs.ts';
import { type Gathered, Gathering, type Thing } from './frames.ts';
import { commentOf, type Logins, recordOf, termOf, userOf } from './things.ts';

export type Piece =
  /** The address of the site it was written by: known before anything else. */
  | { readonly kind: 'source'; readonly url: string }
  | { readonly kind: 'user'; readonly user: TheirUser }
  | { readonly kind: 'term'; readonly term: TheirTerm }
  | { readonly kind: 'record'; readonly record: TheirRecord; readonly comments: readonly TheirComment[] }
  /** About the record before, which has more than are held at once. */
  | { readonly kind: 'comments'; readonly comments: readonly TheirComment[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

const largest = 512 * 2 ** 20;
const atOnce = 2 ** 18;

/** How many bytes of how many have been read. What it throws ends the reading. */
export type Passed = (bytes: number, of: number) => void | Promise<void>;

export async function* readExport(path: string, passed: Passed): AsyncGenerator<Piece> {
  const file = await open(path).catch(() => {
    throw new Problem(400, 'invalid_wxr', `The file ${path} cannot be read.`);
  });
  try {
    const { size } = await file.stat();
    if (size > largest)
      throw new Problem(413, 'wxr_too_large', 'An export file may have 512 MiB at most. Please export it in parts.');
    const reader = new Reader();
    const decoder = new TextDecoder();
    for (let at = 0; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(atOnce), 0, atOnce, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      await passed(at, size);
      yield* reader.read(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }));
    }
    yield* reader.end(decoder.decode());
  } finally {
    await file.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  malformed: 'What stands here is no XML, so nothing of what it is in was taken.',
  truncated: 'The file ends in the middle of it.',
  text_too_long: 'A text may have 8 MiB at most.',
  too_large: 'There is too much in it.',
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

  *#taken(one: Gathered): Generator<Piece> {
    if (one.kind === 'doctype')
      throw new Problem(
        400,
        'invalid_wxr',
        `Line ${one.line} holds a document type. No export has one, so the file is not read.`,
      );
    if (one.kind === 'open') this.#opened(one);
    if (one.kind === 'text') this.#text(one);
    if (one.kind === 'broken') yield* this.#broken(one);
    if (one.kind === 'thing') yield* this.#thing(one.thing, one.isOver);
  }

  #opened({ name, attributes }: Gathered & { kind: 'open' }): void {
    if (name !== 'rss' && !this.#isKnown && ['item', 'wp:author'].includes(name)) throw noExport();
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
    if (thing.name === 'wp:author') yield { kind: 'user', user: userOf(thing, this.#logins) };
    else if (thing.name === 'item') yield* this.#item(thing, isOver);
    else yield { kind: 'term', term: termOf(thing) };
  }

  *#item(thing: Thing, isOver: boolean): Generator<Piece> {
    const comments = thing.things
      .filter(({ name }) => name === 'wp:comment')
      .map((one) => commentOf(one, this.#logins));
    if (this.#isBegun) yield { kind: 'comments', comments };
    else yield { kind: 'record', record: recordOf(thing), comments };
    this.#isBegun = !isOver;
  }

  #source(): string {
    const url = places.map((name) => this.#said[name]).find(Boolean) ?? '';
    return /^https?:\/\/[^\s<>"']+$/.test(url) ? url.replace(/\/+$/, '') : '';
  }
}

const noExport = (): Problem =>
  new Problem(400, 'invalid_wxr', 'This is no export file of the kind that can be moved in: it says no version of it.');
