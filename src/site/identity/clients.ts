// Whose request it is. An extension may know better which header tells, by `services.clients`.
import { type Came, type ClientOf, clientAddresses, peerOf, trusting } from '#kernel/http/client.ts';
import { namedProxies } from '#lib/ip-address.ts';
import type { ProxyAdvice } from './proxy-advice.ts';
import type { ProxyWatch } from './proxy-watch.ts';

export interface Arrived {
  /** Who is at the other end of the connection. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The peer, or what the trusted proxies tell of it. */
  own(): string;
}

/** Answers an address in its one form. */
export interface Detector {
  (arrived: Arrived): string;
  /** Whether it takes the address from a header just now. */
  believesHeaders?(): boolean;
}

export interface Clients {
  readonly of: ClientOf;
  /** The peer, or what the trusted proxies tell of it, whoever may know better. */
  own(peer: string, headers: Came['headers']): string;
  /** Whether the operator listed IP addresses of proxies. */
  readonly hasNamedProxies: boolean;
  /** Whether this is the IP address of a trusted proxy. */
  isTrusted(address: string): boolean;
  /** Whether an extension takes the client's IP address from a header. */
  readonly believesHeaders: boolean;
  /** Whether this is the IP address of a proxy that names no visitors, which all of them share. */
  isShared(address: string): boolean;
  /** What the operator has to set if all visitors share one IP address. */
  readonly proxyAdvice: ProxyAdvice | undefined;
  /** From now on it is found this way. Returns how to find it as before. */
  detect(detector: Detector): () => void;
}

export function createClients(trusted: readonly string[], watch?: ProxyWatch): Clients {
  const own = clientAddresses(trusted, watch?.believesLoopback);
  let detector: Detector | undefined;
  const addressOf: ClientOf = (message) => {
    if (detector === undefined) return own(message);
    return detector({ peer: peerOf(message), headers: message.headers, own: () => own(message) });
  };
  return {
    of(message) {
      const address = addressOf(message);
      watch?.look(message, address);
      return address;
    },
    own: (remoteAddress, headers) => own({ headers, socket: { remoteAddress } }),
    hasNamedProxies: namedProxies(trusted).length > 0,
    isTrusted: trusting(trusted),
    get believesHeaders() {
      return detector?.believesHeaders?.() === true;
    },
    isShared: (address) => watch?.isShared(address) === true,
    get proxyAdvice() {
      return watch?.advice;
    },
    detect(one) {
      detector = one;
      return () => {
        if (detector === one) detector = undefined;
      };
    },
  };
}
