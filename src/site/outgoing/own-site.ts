// The site asks itself, at its public address: what is behind that may be a private address, and is found nowhere else. Whoever else
// it leads to is judged by the guard like anybody.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Problem } from '#kernel/problem.ts';
import { afterReally } from '../platform/clock.ts';
import { connectReally, connectToOne } from './connect.ts';
import { deadlineOf } from './deadline.ts';
import { addressesOf, hostOf, portOf } from './destination.ts';
import { createOutgoing, type OutgoingOptions, type World } from './guard.ts';
import { lookupReally } from './look-up.ts';
import type { Fetched, Purpose } from './outgoing.ts';
import { Upstream } from './upstream.ts';

export interface OwnSite {
  /** Of what lies at the address of the site. */
  fetch(url: string, purpose: Purpose): Promise<Fetched>;
  /** Those its name leads to. Throws where it leads nowhere. */
  addresses(): Promise<readonly string[]>;
  /** Until when browsers take the certificate that is shown there; nothing, when they do not. Throws `Upstream` when none is shown. */
  certificate(): Promise<Date | undefined>;
}

const patience = 10_000;

export function createOwnSite(site: string, options: Omit<OutgoingOptions, 'allowHosts'>): OwnSite {
  const url = new URL(site);
  const allowHosts = [`${url.hostname}:${portOf(url)}`];
  const outgoing = createOutgoing({ ...options, allowHosts });
  const world: World = { lookup: lookupReally({ allowHosts }), connect: connectReally, after: afterReally, ...options };
  return {
    async fetch(asked: string, purpose) {
      if (new URL(asked).host !== url.host) throw new Error('This request must go to the site itself.');
      return outgoing.fetch(asked, purpose);
    },
    async addresses() {
      const deadline = deadlineOf(patience, { ...world, ended: () => {} });
      try {
        return await deadline.before(addressesOf(url, { ...world, allowHosts }, deadline.signal));
      } finally {
        deadline.end();
      }
    },
    certificate: () => certificateAt(url, allowHosts, world),
  };
}

async function certificateAt(url: URL, allowHosts: readonly string[], world: World): Promise<Date | undefined> {
  const deadline = deadlineOf(patience, { ...world, ended: () => {} });
  try {
    const addresses = await deadline.before(addressesOf(url, { ...world, allowHosts }, deadline.signal));
    const spots = addresses.map((address) => ({ address, port: portOf(url), secure: true, name: hostOf(url) }));
    return endOf(await connectToOne(spots, world, deadline.signal));
  } catch (error) {
    if (error instanceof Upstream && isUntrusted(error.cause)) return undefined;
    // A name that leads nowhere is told in the same words as one that leads inside.
    if (error instanceof Problem)
      throw new Upstream('unreachable', 'The host name does not exist.', undefined, { cause: error });
    throw error;
  } finally {
    deadline.end();
  }
}

function endOf(socket: Socket): Date {
  const { valid_to } = (socket as TLSSocket).getPeerCertificate();
  socket.destroy();
  return new Date(valid_to);
}

/** How OpenSSL and Node call it when a certificate is nobody's. */
const untrusted = /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|HOSTNAME_MISMATCH)/;

const isUntrusted = (error: unknown): boolean =>
  untrusted.test((error as NodeJS.ErrnoException | undefined)?.code ?? '');
