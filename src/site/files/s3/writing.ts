// A small file goes in one piece, a larger one in several that become a file only when all are there.
import { createHash } from 'node:crypto';
import { fileErrors } from '../errors.ts';
import type { About, Body, Entry } from '../files.ts';
import type { Address, Query } from './address.ts';
import { away } from './faults.ts';
import { type Answered, escaped, field, type Wire } from './wire.ts';

export interface Store {
  readonly wire: Wire;
  readonly address: Address;
  readonly spare: Spare;
}

type Headers = Answered['headers'];

const printable = /^[\x20-\x7e]+$/;

const typeOf = ({ type = '' }: About): Record<string, string> => ({
  'content-type': printable.test(type) ? type : 'application/octet-stream',
});

export async function put(store: Store, path: string, body: Body, about: About = {}): Promise<Entry> {
  let upload: Upload | undefined;
  try {
    for await (const piece of pieces(body, store.spare)) {
      if (piece.isLast && upload === undefined) return await putWhole(store, path, piece, about);
      upload ??= await begun(store, path, about);
      await upload.send(piece);
    }
    if (upload === undefined) throw new Error('A body must have a last piece.');
    return await upload.finish();
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

async function putWhole({ wire, address }: Store, path: string, { bytes, done }: Piece, about: About) {
  const { headers } = await wire.told({ method: 'PUT', url: address.file(path), headers: typeOf(about), body: bytes });
  done();
  return { path, size: bytes.length, modified: dateOf(headers) };
}

const dateOf = (headers: Headers): Date => {
  const date = new Date(String(headers.date));
  return Number.isNaN(date.getTime()) ? new Date() : date;
};

interface Upload {
  /** Waits while enough are on their way. */
  send(piece: Piece): Promise<void>;
  finish(): Promise<Entry>;
  /** The store forgets all of it. */
  abort(): Promise<void>;
}

const atOnce = 2;
const mostPieces = 10_000;

async function begun(store: Store, path: string, about: About): Promise<Upload> {
  const { wire, address } = store;
  const started = await wire.told({ method: 'POST', url: address.file(path, { uploads: '' }), headers: typeOf(about) });
  const uploadId = field(started.text, 'UploadId');
  if (!uploadId) throw away(`${wire.place} gives no id for the upload of a large file`);
  const at = (query: Query = {}) => address.file(path, { ...query, uploadId });
  const tags: string[] = [];
  const underway = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let count = 0;
  let size = 0;
  const fly = async (number: number, { bytes, done }: Piece) => {
    try {
      const { headers } = await wire.told({ method: 'PUT', url: at({ partNumber: number }), body: bytes });
      if (typeof headers.etag !== 'string' || headers.etag === '')
        throw away(`${wire.place} does not confirm a part of a large file`);
      tags[number - 1] = headers.etag;
      done();
    } catch (error) {
      failure ??= { error };
    }
  };
  const settle = async () => {
    await Promise.all(underway);
    if (failure) throw failure.error;
  };
  return {
    send: async (piece) => {
      if (count === mostPieces) throw fileErrors.fileTooLarge();
      count += 1;
      size += piece.bytes.length;
      const flight: Promise<void> = fly(count, piece).finally(() => underway.delete(flight));
      underway.add(flight);
      if (underway.size >= atOnce) await Promise.race(underway);
      if (failure) throw failure.error;
    },
    finish: async () => {
      await settle();
      return { path, size, modified: await finished(store, path, at(), tags) };
    },
    abort: async () => {
      await Promise.all(underway);
      // If this fails too, what is left is for the rule of the bucket that clears away unfinished uploads.
      await wire.told({ method: 'DELETE', url: at(), takes: [404] }).catch(() => {});
    },
  };
}

async function finished({ wire, address }: Store, path: string, url: URL, tags: readonly string[]): Promise<Date> {
  const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const headers = { 'content-type': 'application/xml' };
  const answer = await wire.told({ method: 'POST', url, headers, body, long: true, takes: [404] });
  if (/<CompleteMultipartUploadResult[\s>]/.test(answer.text)) return dateOf(answer.headers);
  // It said nothing; or it was asked twice, because the first answer was lost: then the upload is gone and the file is there, with the tag of these parts.
  const there = await wire.told({ method: 'HEAD', url: address.file(path), takes: [404] });
  if (bare(there.headers.etag) === tagOf(tags)) return dateOf(there.headers);
  throw away(`${wire.place} lost a file that was sent in parts`);
}

const bare = (tag: unknown): string => String(tag).replaceAll('"', '');

/** How stores name a file that came in pieces. */
function tagOf(tags: readonly string[]): string {
  const digest = createHash('md5');
  for (const tag of tags) digest.update(bare(tag), 'hex');
  return `${digest.digest('hex')}-${tags.length}`;
}

/** All but the last of a file are this long; some stores insist that they are equal. */
const pieceSize = 8 * 1024 ** 2;

interface Piece {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
  /** It is where it belongs, and its memory may be used again. */
  done(): void;
}

/** Memory for pieces, used again and again: given back to the system at this rate, it would come back in tatters. */
interface Spare {
  take(): Buffer;
  give(memory: Buffer): void;
}

const mostSpare = 3;

export function createSpare(): Spare {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(pieceSize),
    give: (memory) => {
      if (memory.length === pieceSize && free.length < mostSpare) free.push(memory);
    },
  };
}

/** Most files are small. */
const small = 64 * 1024;

/** A body in pieces. There is always a last one, be it empty. */
async function* pieces(body: Body, spare: Spare): AsyncGenerator<Piece> {
  if (body instanceof Uint8Array) return yield* slices(body);
  let memory: Buffer = Buffer.allocUnsafe(small);
  let filled = 0;
  const piece = (isLast: boolean): Piece => {
    const full = memory;
    return { bytes: full.subarray(0, filled), isLast, done: () => spare.give(full) };
  };
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === pieceSize) {
        yield piece(false);
        memory = spare.take();
        filled = 0;
      }
      if (filled === memory.length) memory = larger(memory, spare);
      const taken = Math.min(memory.length - filled, chunk.length - at);
      memory.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  yield piece(true);
}

function larger(memory: Buffer, spare: Spare): Buffer {
  const whole = spare.take();
  whole.set(memory);
  return whole;
}

function* slices(body: Uint8Array): Generator<Piece> {
  const done = () => {};
  let at = 0;
  for (; at + pieceSize < body.length; at += pieceSize)
    yield { bytes: body.subarray(at, at + pieceSize), isLast: false, done };
  yield { bytes: body.subarray(at), isLast: true, done };
}
