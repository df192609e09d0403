// A file as a stream. Where the store breaks off, reading goes on from there, as long as the file is still the same.
import { Readable } from 'node:stream';
import { fileErrors } from '../errors.ts';
import { type Opened, type Range, within } from '../files.ts';
import { away, brokenOf, isBroken, replaced } from './faults.ts';
import { entryOf } from './listing.ts';
import { type Answered, type Patience, textOf } from './wire.ts';
import type { Store } from './writing.ts';

/** How often in a row a stream may break off without a byte. */
const tries = 4;

export async function opened(
  store: Store,
  path: string,
  asked: Range | undefined,
  pause: Patience['pause'],
): Promise<Opened | undefined> {
  const range = asked && within(asked, Number.POSITIVE_INFINITY);
  const answer = await part(store, path, range);
  if (answer.statusCode === 404) return undefined;
  const { size, first, last } = extent(answer, range, store);
  const entry = entryOf(path, size, answer.headers['last-modified']);
  if (entry === undefined) {
    answer.body.destroy();
    throw away(`${store.wire.place} gives no details of an existing file`);
  }
  const stream = Readable.from(resuming(store, path, answer, { size, first, last }, pause), { objectMode: false });
  stream.once('close', () => answer.body.destroy());
  return { ...entry, stream, each: (take) => handed(stream, take) };
}

async function handed(stream: Readable, take: (piece: Uint8Array) => Promise<void>): Promise<void> {
  for await (const piece of stream as AsyncIterable<Buffer>) await take(piece);
}

async function part({ wire, address }: Store, path: string, range?: Range, tag?: string): Promise<Answered> {
  const headers = {
    ...(range && { range: `bytes=${range.first}-${Number.isFinite(range.last) ? range.last : ''}` }),
    // A weak tag fits nothing where it is asked for; it is compared when the answer is there.
    ...(tag && !isWeak(tag) && { 'if-match': tag }),
  };
  const answer = await wire.ask({ method: 'GET', url: address.file(path), headers, takes: [404, 416] });
  if (answer.statusCode === 416) {
    answer.body.destroy();
    // What is read on was there when reading began, and of a whole file there is always a part.
    throw range === undefined || tag !== undefined ? replaced(wire.place) : fileErrors.rangeNotSatisfiable();
  }
  if (answer.statusCode !== 404) return answer;
  const found = await textOf(answer.body).catch(() => '');
  // That the file is not there is an answer; that nothing is there is none.
  if (found.includes('<Code>NoSuchBucket</Code>')) throw away(`${wire.place} does not exist`);
  return answer;
}

const isWeak = (tag: string): boolean => tag.startsWith('W/');

/** What is to be read: all of the file, or the part that was asked for. The store may send less of it at once, never more. */
function extent(answer: Answered, range: Range | undefined, { wire }: Store): Range & { size: number } {
  const { statusCode, headers, body } = answer;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (range === undefined && statusCode === 200 && Number.isSafeInteger(length))
    return { size: length, first: 0, last: length - 1 };
  const [first, last, size] = sent(headers['content-range']);
  const end = Math.min(range?.last ?? -1, size - 1);
  const isLong = Number.isNaN(length) || length === last - first + 1;
  const fits = first === range?.first && first <= last && last <= end && isLong;
  if (range !== undefined && statusCode === 206 && fits) return { size, first, last: end };
  body.destroy();
  if (length === 0) throw fileErrors.rangeNotSatisfiable();
  throw away(`${wire.place} answers with something other than the requested file`);
}

function sent(header: unknown): [first: number, last: number, size: number] {
  const [, ...told] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(String(header)) ?? [];
  const [first = Number.NaN, last = Number.NaN, size = Number.NaN] = told.map(Number);
  return [first, last, size];
}

async function* resuming(
  store: Store,
  path: string,
  begun: Answered,
  { size, first, last }: Range & { size: number },
  pause: Patience['pause'],
): AsyncGenerator<Buffer> {
  const tag = begun.headers.etag;
  let at = first;
  let current = begun;
  for (let fruitless = 0; ; ) {
    const { next, failure } = yield* bodyOf(current, { first: at, last }, store.wire.place);
    if (failure === undefined) return;
    if (!isBroken(failure)) throw failure;
    fruitless = next > at ? 0 : fruitless + 1;
    at = next;
    if (fruitless === tries || typeof tag !== 'string') throw brokenOf(failure, store.wire.place);
    await pause(fruitless + 1);
    current = await rest(store, path, { first: at, last, size }, tag);
  }
}

/** Returns the position after the last byte, and why the body ended before the range did. */
async function* bodyOf(
  { body }: Answered,
  { first, last }: Range,
  place: string,
): AsyncGenerator<Buffer, { next: number; failure: unknown }> {
  let next = first;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      next += chunk.length;
      if (next > last + 1) throw away(`${place} sends more bytes than requested`);
      yield chunk;
    }
    return { next, failure: next > last ? undefined : endedEarly };
  } catch (error) {
    return { next, failure: error };
  } finally {
    body.destroy();
  }
}

/** Of the same file, whatever the store makes of being asked for that. */
async function rest(store: Store, path: string, range: Range & { size: number }, tag: string): Promise<Answered> {
  const { place } = store.wire;
  const answer = await part(store, path, range, tag);
  if (answer.statusCode === 404) throw away(`A file in ${place} was deleted while it was read`);
  if (answer.headers.etag === tag && extent(answer, range, store).size === range.size) return answer;
  answer.body.destroy();
  throw replaced(place);
}

const endedEarly = Object.assign(new Error('Ended early.'), { code: 'UND_ERR_SOCKET' });
