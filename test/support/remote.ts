// Another site for a test: a small server on this machine, reached through the list of hosts that are allowed.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';

export interface Remote {
  readonly port: number;
  /** `127.0.0.1:port`, as the list of allowed hosts has it. */
  readonly host: string;
  readonly url: string;
  /** How many connections were opened to it. */
  readonly opened: number;
  /** Once every connection is closed. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** One that keeps what it was asked. */
export interface AskedRemote extends Remote {
  readonly asked: readonly IncomingMessage[];
}

/** Answers every request as it is told. */
export async function aRemote(answer: RequestListener, identity?: { key: string; cert: string }): Promise<AskedRemote> {
  const asked: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request);
    answer(request, response);
  };
  const server: Server = identity ? createSecureServer(identity, listener) : createServer(listener);
  const remote = await listening(server, identity ? 'https' : 'http');
  return Object.assign(remote, { asked });
}

/** Goes on until nobody listens any longer. */
export const endless =
  (type: string, beginning: string): RequestListener =>
  async (_, response) => {
    response.writeHead(200, { 'Content-Type': type }).write(beginning);
    const closed = once(response, 'close');
    while (!response.destroyed) {
      if (response.write('x'.repeat(65_536))) await new Promise(setImmediate);
      else await Promise.race([once(response, 'drain'), closed]);
    }
  };

/** Does as it likes with the connection, once a whole request header came. For answers that no server should give. */
export async function aRudeRemote(answer: (socket: Socket) => void): Promise<Remote> {
  const server = createRawServer((socket) => {
    let head = '';
    socket.on('error', () => {});
    const read = (piece: Buffer) => {
      head += piece.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read).resume();
      answer(socket);
    };
    socket.on('data', read);
  });
  return listening(server, 'http');
}

async function listening(server: RawServer, scheme: string): Promise<Remote> {
  const open = new Set<Socket>();
  let opened = 0;
  const closed = Promise.withResolvers<void>();
  let whenQuiet = closed;
  server.on('connection', (socket) => {
    if (open.size === 0) whenQuiet = Promise.withResolvers();
    opened += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) whenQuiet.resolve();
    });
  });
  closed.resolve();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `${scheme}://127.0.0.1:${port}`,
    get opened() {
      return opened;
    },
    quiet: () => whenQuiet.promise,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
