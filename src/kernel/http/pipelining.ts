// Requests that a client sends before it has the answer to the one before: one is in work on each connection, and the others wait
// their turn. While many wait, nothing more is read from that connection; while few do, it is, so that one sees when the client leaves.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on all connections together. Each takes a few kilobytes. */
const mostWaiting = 5_000;
/** Requests that may wait on one connection before nothing more is read from it. */
const mostAhead = 50;

export interface Pipelining {
  /** Begins at once where nothing is under way on this connection, else once the answers before it are delivered. */
  inTurn(message: IncomingMessage, response: ServerResponse, begin: () => void): void;
}

export function createPipelining(most = mostWaiting): Pipelining {
  const waiting = new Map<Socket, number>();
  let total = 0;
  const count = (socket: Socket, change: number): number => {
    const now = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, now);
    total += change;
    return now;
  };
  const watch = (socket: Socket): void => {
    waiting.set(socket, 0);
    socket.once('close', () => {
      total -= waiting.get(socket) ?? 0;
      waiting.delete(socket);
    });
  };
  return {
    inTurn(message, response, begin) {
      // Node gives the connection to one answer after another.
      if (response.socket !== null) return begin();
      const { socket } = message;
      if (socket.destroyed) return;
      if (total >= most) return void socket.destroy();
      if (!waiting.has(socket)) watch(socket);
      // Node reads on after each request that it has parsed: only once all that came together is parsed does a pause last.
      if (count(socket, 1) === mostAhead) process.nextTick(() => socket.pause());
      const start = AsyncLocalStorage.bind((): void => {
        if (socket.destroyed) return;
        if (count(socket, -1) >= mostAhead) socket.pause();
        begin();
      });
      // Other connections have their turn in between.
      response.once('socket', () => setImmediate(start));
    },
  };
}
