// The end of an answer whose request was not read to its end. A connection that is closed while bytes still arrive is reset, and
// whoever sends them, a proxy above all, may then lose the answer: so what comes is taken and thrown away for a while.
import type { IncomingMessage, ServerResponse } from 'node:http';

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
