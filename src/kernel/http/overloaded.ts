// The answer to a request that cannot be worked on because there is too much to do. It costs next to nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { prefersJson } from './doorkeeper.ts';
import { refuse } from './malformed.ts';

/** In seconds. */
const retryAfter = 5;
const message = 'The site has too much to do at the moment. Try again in a few seconds.';

/** As the interface says it, or for people. */
export function refuseOverloaded(asked: IncomingMessage, response: ServerResponse, id: string, isPage: boolean): void {
  response.setHeader('Retry-After', retryAfter);
  if (!isPage || prefersJson(asked.headers.accept)) {
    refuse(response, { status: 503, code: 'overloaded', message }, id);
    return;
  }
  const body = `${message}\n`;
  const head = { 'Content-Type': 'text/plain; charset=UTF-8', 'Content-Length': body.length, 'X-Request-Id': id };
  response.writeHead(503, { ...head, 'Cache-Control': 'no-store', Connection: 'close' }).end(body);
}
