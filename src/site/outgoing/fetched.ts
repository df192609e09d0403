// An answer as whoever asked gets it: of a type that was asked for, and never more of it than that.
import type { Deadline } from './deadline.ts';
import type { Answer } from './exchange.ts';
import type { Fetched, Purpose } from './outgoing.ts';
import { answeredBy, broken, Upstream } from './upstream.ts';

export function fetchedFrom(
  url: URL,
  answer: Answer,
  { types, most, method, errors = [] }: Purpose,
  deadline: Deadline,
): Fetched {
  const { status, headers } = answer;
  const [type, charset] = mediaType(headers.get('content-type') ?? '');
  const isWanted = errors.includes(status) && isAmong(types, type);
  if (status >= 400 && !isWanted) throw answeredBy(status, headers.get('retry-after') ?? undefined);
  if (!isBare(status) && !isAmong(types, type))
    throw new Upstream('type', 'The other server sent another type of content.', status);
  if (isPacked(headers))
    throw new Upstream('broken', 'The other server sent a compressed answer, which was not requested.', status);
  if (method !== 'HEAD' && Number(headers.get('content-length')) > most) throw tooMuch(status);
  const close = () => {
    deadline.end();
    answer.close();
  };
  const body = measured(answer, most, deadline, close);
  const bytes = () => gathered(body, most);
  const text = async () => decoderOf(charset).decode(await bytes());
  const beginning = async (first: number) => decoderOf(charset).decode(await firstOf(body, first));
  return { url: url.href, status, type, headers, body, bytes, text, beginning, close };
}

/** Without a body, and so without a type. */
const isBare = (status: number): boolean => status === 204 || status === 205 || status === 304;

const isAmong = (types: readonly string[], type: string): boolean =>
  types.some((one) => one === '*' || one === type || (one.endsWith('/') && type.startsWith(one)));

/** Nothing is unpacked here, so nothing can swell: `identity` was asked for. */
const isPacked = (headers: Headers): boolean =>
  !/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '') ||
  !/^(?:chunked)?$/i.test(headers.get('transfer-encoding') ?? '');

/** The type in small letters, empty when it is none, and the character set it names. */
function mediaType(header: string): [type: string, charset: string] {
  const type = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(header)?.[1] ?? '';
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(header)?.[1] ?? 'utf-8';
  return [type.toLowerCase(), charset];
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

const tooMuch = (status: number): Upstream => new Upstream('size', 'The other server sent too much data.', status);

/** An honest answer may come in drops; one that is all drops costs far more than it brings. */
const drops = { allowed: 10_000, size: 16 };

async function* measured({ body, status }: Answer, most: number, { signal }: Deadline, close: () => void) {
  let taken = 0;
  let pieces = 0;
  try {
    for await (const piece of body) {
      taken += piece.length;
      pieces += 1;
      if (taken > most) throw tooMuch(status);
      if (pieces > drops.allowed + taken / drops.size)
        throw new Upstream('broken', 'The other server sent its answer in too many small pieces.', status);
      yield piece;
    }
  } catch (error) {
    throw broken(error, signal);
  } finally {
    close();
  }
}

const beginning = 16_384;

/** Copied piece by piece: kept, a small piece holds on to the much larger memory it was read into. */
async function gathered(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  let memory = Buffer.allocUnsafeSlow(Math.min(beginning, most));
  let length = 0;
  for await (const piece of body) {
    if (length + piece.length > memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(2 * memory.length, length + piece.length)));
      larger.set(memory.subarray(0, length));
      memory = larger;
    }
    memory.set(piece, length);
    length += piece.length;
  }
  return memory.subarray(0, length);
}

async function firstOf(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces).subarray(0, most);
}
