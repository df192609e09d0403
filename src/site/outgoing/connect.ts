// The only place where a connection to somewhere else is opened.
import { isIP, connect as plainly, type Socket } from 'node:net';
import { connect as securely } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { After } from '../platform/clock.ts';
import { Upstream } from './upstream.ts';

interface Spot {
  /** As it was vetted: never a name. */
  readonly address: string;
  readonly port: number;
  readonly secure: boolean;
  /** Whom the certificate must be made out to. */
  readonly name: string;
}

export type Connect = (spot: Spot, signal: AbortSignal) => Promise<Socket>;

/** Opens the connection, its certificate checked, or nothing stays open. */
export const connectReally: Connect = ({ address, port, secure, name }, signal) => {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const to = { host: address, port };
  // An address has no place in the name a server is told; it is compared with the certificate all the same.
  const servername = isIP(name) ? '' : name.replace(/\.$/, '');
  // Said in full, so that no variable of the environment says otherwise.
  const strictly = { servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  const socket = secure ? securely({ ...to, ...strictly }) : plainly(to);
  const giveUp = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', giveUp);
  socket.once('error', reject);
  socket.once('close', () => {
    signal.removeEventListener('abort', giveUp);
    reject(new Error('The connection was closed before it was established.'));
  });
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    if (isSame(socket.remoteAddress, address)) return resolve(socket);
    socket.destroy(new Error('The connection goes to another IP address than intended.'));
  });
  if (signal.aborted) giveUp();
  return promise;
};

const isSame = (one: string | undefined, other: string): boolean =>
  one !== undefined && ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString();

const patience = 5000;

/** To the first of several spots that answers, within five seconds in all. */
export async function connectToOne(
  spots: readonly Spot[],
  { connect, after }: { readonly connect: Connect; readonly after: After },
  signal: AbortSignal,
): Promise<Socket> {
  let failed: unknown;
  for (const spot of spots) {
    const late = new AbortController();
    const callOff = after(patience / spots.length, () =>
      late.abort(new Upstream('late', 'The other server cannot be reached within the time limit.')),
    );
    try {
      return await connect(spot, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failed = late.signal.aborted ? late.signal.reason : unreachable(error);
    } finally {
      callOff();
    }
  }
  throw failed;
}

const unreachable = (cause: unknown): Upstream =>
  new Upstream('unreachable', 'The other server cannot be reached.', undefined, { cause });
