// An answer as whoever asked gets it: of a type that was asked for, and never more of it than that.
import type { Deadline } from './deadline.ts';
import { type Answer, broken } from './exchange.ts';
import type { Fetched, Purpose } from './outgoing.ts';
import { Upstream } from './upstream.ts';

export function fetchedFrom(url: URL, answer: Answer, { types, most }: Purpose, deadline: Deadline): Fetched {
  const { status, headers } = answer;
  const [type, charset] = mediaType(headers.get('content-type') ?? '');
  if (status >= 400) throw new Upstream('status', `The other side answered with an error (${status}).`, status);
  if (!isBare(status) && !isAmong(types, type))
    throw new Upstream('type', 'The other side sent another kind of thing.', status);
  if (isPacked(headers)) throw new Upstream('broken', 'The other side sent its answer packed, unasked.', status);
  if (Number(headers.get('content-length')) > most) throw tooMuch(status);
  const close = () => {
    deadline.end();
    answer.close();
  };
  const body = measured(answer, most, deadline, close);
  const bytes = async () => Buffer.concat(await Array.fromAsync(body));
  const text = async () => decoderOf(charset).decode(await bytes());
  return { url: url.href, status, type, headers, body, bytes, text, close };
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

const tooMuch = (status: number): Upstream => new Upstream('size', 'The other side sent too much.', status);

async function* measured({ body, status }: Answer, most: number, { signal }: Deadline, close: () => void) {
  let taken = 0;
  try {
    for await (const piece of body) {
      taken += piece.length;
      if (taken > most) throw tooMuch(status);
      yield piece;
    }
  } catch (error) {
    throw broken(error, signal);
  } finally {
    close();
  }
}
