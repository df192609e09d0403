// A file as a stream. Where the store breaks off, reading goes on from there, as long as the file is still the same.
import { Readable } from 'node:stream';
import type { Opened, Range } from '../files.ts';
import { unsatisfiable, within } from '../range.ts';
import { away, brokenOf, isBroken } from './faults.ts';
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
  const stream = Readable.from(resuming(store, path, answer, { first, last }, pause), { objectMode: false });
  stream.once('close', () => answer.body.destroy());
  const modified = new Date(String(answer.headers['last-modified']));
  return { path, size, modified, stream, each: (take) => handed(stream, take) };
}

async function handed(stream: Readable, take: (piece: Uint8Array) => Promise<void>): Promise<void> {
  for await (const piece of stream as AsyncIterable<Buffer>) await take(piece);
}

async function part({ wire, address }: Store, path: string, range?: Range, tag?: string): Promise<Answered> {
  const headers = {
    ...(range && { range: `bytes=${range.first}-${Number.isFinite(range.last) ? range.last : ''}` }),
    ...(tag && { 'if-match': tag }),
  };
  const answer = await wire.ask({ method: 'GET', url: address.file(path), headers, takes: [404] });
  if (answer.statusCode !== 404) return answer;
  const found = await textOf(answer.body).catch(() => '');
  // That the file is not there is an answer; that nothing is there is none.
  if (found.includes('<Code>NoSuchBucket</Code>')) throw away(`${wire.place} does not exist`);
  return answer;
}

/** What the store says it sends: all of the file, or the part that was asked for. */
function extent(answer: Answered, range: Range | undefined, { wire }: Store): Range & { size: number } {
  const { statusCode, headers, body } = answer;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (range === undefined && statusCode === 200 && Number.isSafeInteger(length))
    return { size: length, first: 0, last: length - 1 };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
  if (range !== undefined && statusCode === 206 && Number(first) === range.first)
    return { size: Number(size), first: range.first, last: Number(last) };
  body.destroy();
  if (length === 0) throw unsatisfiable();
  throw away(`${wire.place} answers with something else than the file that was asked for`);
}

async function* resuming(
  store: Store,
  path: string,
  begun: Answered,
  { first, last }: Range,
  pause: Patience['pause'],
): AsyncGenerator<Buffer> {
  const tag = begun.headers.etag;
  let at = first;
  let current = begun;
  for (let fruitless = 0; ; ) {
    const before = at;
    let broken: unknown = endedEarly;
    try {
      for await (const chunk of current.body as AsyncIterable<Buffer>) {
        at += chunk.length;
        yield chunk;
      }
      if (at > last) return;
    } catch (error) {
      broken = error;
    } finally {
      current.body.destroy();
    }
    if (!isBroken(broken)) throw broken;
    fruitless = at > before ? 0 : fruitless + 1;
    if (fruitless === tries || typeof tag !== 'string') throw brokenOf(broken, store.wire.place);
    await pause(fruitless + 1);
    current = await part(store, path, { first: at, last }, tag);
    if (current.statusCode === 404) throw away(`A file in ${store.wire.place} went away while it was read`);
    extent(current, { first: at, last }, store);
  }
}

const endedEarly = Object.assign(new Error('Ended early.'), { code: 'UND_ERR_SOCKET' });
