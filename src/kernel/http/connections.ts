// How many connections there may be, of one client address and in all. Past a bound, the oldest connection without a request makes
// room, so that a new client always gets in; where all of them are in use, the new one is refused.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '#lib/ip-address.ts';
import { peerOf } from './client.ts';
import type { Limits } from './limits.ts';

interface ConnectionBounds extends Pick<Limits, 'connections' | 'connectionsOfOne'> {
  /** Whether this peer brings the requests of many clients. */
  isProxy(address: string): boolean;
}

/** Connections that are looked at to find one without a request. */
const mostLooked = 100;

export function boundConnections(server: Server, { connections, connectionsOfOne, isProxy }: ConnectionBounds): void {
  const all = new Set<Socket>();
  const byClient = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const address = peerOf({ socket: { remoteAddress: addressOf(socket) }, headers: {} });
    const client = networkOf(address);
    const own = byClient.get(client) ?? new Set();
    const forget = (gone: Socket): void => {
      all.delete(gone);
      own.delete(gone);
      if (own.size === 0 && byClient.get(client) === own) byClient.delete(client);
    };
    const isTooMany = own.size >= connectionsOfOne && !isProxy(address);
    if ((isTooMany && !makeRoom(own)) || (all.size >= connections && !makeRoom(all))) return void socket.destroy();
    all.add(socket);
    byClient.set(client, own.add(socket));
    socket.once('close', () => forget(socket));
  });
}

function makeRoom(sockets: Set<Socket>): boolean {
  const looked = [...sockets.values().take(mostLooked)];
  for (const socket of looked) {
    sockets.delete(socket);
    if (!isInUse(socket)) {
      socket.destroy();
      return true;
    }
    // It is looked at again after the others.
    sockets.add(socket);
  }
  return false;
}

/**
 * Asked of the system, for a socket remembers what it told once: a request whose client has left when it is read is known by having
 * no address.
 */
export function addressOf(socket: object): string | undefined {
  const told: { address?: string } = {};
  (socket as { _handle?: { getpeername?(told: object): unknown } })._handle?.getpeername?.(told);
  return told.address;
}

const isInUse = (socket: Socket): boolean =>
  !socket.destroyed && (answerDue(socket) !== undefined || socket.writableLength > 0);

/** The answer that goes out next on a connection, if a request on it waits for one. */
export const answerDue = (socket: object): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
