// A whole answer on its way to who asked for it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Composed, holds } from './compose.ts';
import { acceptedEncoding, compress } from './encoding.ts';
import { crossOrigin } from './headers.ts';
import { ended } from './lingering.ts';

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
