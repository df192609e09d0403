// One request and its answer over a connection that stands already, which is closed afterwards.
import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Purpose } from './outgoing.ts';
import { broken } from './upstream.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection, read or not. */
  close(): void;
}

const most = { headers: 16_384, preliminary: 10 };

export async function exchange(
  socket: Socket,
  url: URL,
  { method = 'GET', headers, body }: Pick<Purpose, 'method' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Answer> {
  const client = clientOver(socket, url);
  const close = () => void client.destroy().catch(() => {});
  let preliminary = 0;
  const onInfo = () => {
    preliminary += 1;
    if (preliminary > most.preliminary) close();
  };
  try {
    const answer = await client.request({
      method,
      path: url.pathname + url.search,
      headers: headers ?? null,
      body: body ?? null,
      signal,
      onInfo,
    });
    // Closing a body that nobody reads is no accident.
    answer.body.on('error', () => {});
    return { status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body, close };
  } catch (error) {
    close();
    socket.destroy();
    throw broken(error, signal);
  }
}

/** It speaks over this connection and opens no other; the time is kept by whoever asks. */
function clientOver(socket: Socket, { origin }: URL): Client {
  let isGiven = false;
  return new Client(origin, {
    connect: (_, hand) => {
      if (isGiven) return hand(new Error('The connection cannot be used again.'), null);
      isGiven = true;
      // Not at once: the client takes no notice of a connection that it has while it asks for one.
      queueMicrotask(() => hand(null, socket));
    },
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: most.headers,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given)) {
    for (const value of [values ?? []].flat()) headers.append(name, Buffer.from(value).toString('latin1'));
  }
  return headers;
}
