// A whole answer on its way to who asked for it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedEncoding, type Composed, compress, crossOrigin, holds } from './compose.ts';

export async function send(
  message: IncomingMessage,
  response: ServerResponse,
  composed: Composed,
  id: string,
): Promise<void> {
  const encoding = composed.compressible ? acceptedEncoding(message.headers['accept-encoding']) : 'identity';
  const body = await compress(composed.body, encoding);
  const head = [...composed.head, 'X-Request-Id', id, ...crossOrigin(message.headers.origin, composed)];
  if (holds(message.headers['if-none-match'], composed.etag)) {
    response.writeHead(304, head as string[]).end();
    return;
  }
  if (encoding !== 'identity') head.push('Content-Encoding', encoding);
  if (composed.status !== 204) head.push('Content-Length', body.length);
  response.writeHead(composed.status, [...head, ...leftover(message)] as string[]);
  await ended(message, response, message.method === 'HEAD' || composed.status === 204 ? undefined : body);
}

/** A body nobody read would be taken for the next request: the connection ends with this answer. */
export const leftover = (message: IncomingMessage): string[] => (message.complete ? [] : ['Connection', 'close']);

// The end of an answer whose request was not read to its end. A connection that is closed while bytes still arrive is reset, and whoever
// sends them, a proxy above all, may then lose the answer: so what comes is taken and thrown away for a while.

/** What an answer says that is whole, while its request is still thrown away. */
export const answerReady = 'answerReady';

/** How long is waited for the next piece, and for all of them, in milliseconds. */
const patience = { piece: 1_000, whole: 10_000 };

export async function ended(message: IncomingMessage, response: ServerResponse, body?: Uint8Array): Promise<void> {
  if (message.complete) return void response.end(body);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  response.emit(answerReady);
  await drained(message);
  response.end();
}

function drained(message: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const whole = setTimeout(resolve, patience.whole);
  const piece = setTimeout(resolve, patience.piece);
  message.on('data', () => piece.refresh());
  for (const over of ['end', 'close', 'error']) message.once(over, () => resolve());
  if (message.destroyed) resolve();
  message.resume();
  return promise.finally(() => {
    clearTimeout(whole);
    clearTimeout(piece);
    message.pause();
  });
}
