// Answers under way. While the server stops, each is the last on its connection, so that nobody waits for a client who keeps
// one open.
import type { Server, ServerResponse } from 'node:http';

export interface OpenAnswers {
  readonly isStopping: boolean;
  add(response: ServerResponse): void;
  /** From now on: no connection is kept for another request. */
  last(): void;
}

export function openAnswers(server: Server): OpenAnswers {
  const open = new Set<ServerResponse>();
  let stopping = false;
  const end = (response: ServerResponse): void => {
    response.shouldKeepAlive = false;
    // One whose head has gone out already promised to stay; it is closed once it lies idle.
    if (response.headersSent) response.once('close', () => setImmediate(() => server.closeIdleConnections()));
  };
  return {
    get isStopping() {
      return stopping;
    },
    add(response) {
      if (stopping) end(response);
      else open.add(response.once('close', () => open.delete(response)));
    },
    last() {
      stopping = true;
      for (const response of open) end(response);
    },
  };
}
