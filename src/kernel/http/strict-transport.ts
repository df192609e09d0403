// Responses that carry `Strict-Transport-Security`, whoever writes them: no way of answering can forget the header.
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

const name = 'Strict-Transport-Security';

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The class that `createServer` makes its responses of. */
export function responseClass(value: string | undefined): typeof ServerResponse {
  if (value === undefined) return ServerResponse;
  // A list may belong to an answer that is kept, so it is copied.
  const withHeader = (head: Head = {}): Head =>
    Array.isArray(head) ? [...head, name, value] : { ...head, [name]: value };
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reason?: string | Head, head?: Head): this {
      if (typeof reason !== 'string') return super.writeHead(status, withHeader(reason));
      return super.writeHead(status, reason, withHeader(head));
    }
  };
}
