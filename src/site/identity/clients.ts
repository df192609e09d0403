// Whose request it is. An extension may know better which header tells, by `services.clients`.
import { type Came, type ClientOf, clientAddresses, peerOf, trusting } from '#kernel/http/client.ts';
import { isForLoopback, isPublicIp } from '#lib/ip-address.ts';
import type { Log } from '#store/engine.ts';

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
  /** Whether the operator named proxies at all, and whether this is one of them. */
  readonly hasTrusted: boolean;
  isTrusted(address: string): boolean;
  /** Whether any header is believed about the client's address. */
  readonly believesHeaders: boolean;
  /** A proxy that seems to hand on every request without saying whose it is. */
  readonly suspectedProxy: string | undefined;
  /** From now on it is found this way. Returns how to find it as before. */
  detect(detector: Detector): () => void;
}

export function createClients(trusted: readonly string[], watch?: ProxyWatch): Clients {
  const own = clientAddresses(trusted);
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
    hasTrusted: trusted.length > 0,
    isTrusted: trusting(trusted),
    get believesHeaders() {
      return trusted.length > 0 || detector?.believesHeaders?.() === true;
    },
    get suspectedProxy() {
      return watch?.suspect;
    },
    detect(one) {
      detector = one;
      return () => {
        if (detector === one) detector = undefined;
      };
    },
  };
}

/** Whether a proxy hands on every request without saying whose it is: then all visitors share its IP address. */
export interface ProxyWatch {
  /** `address`: whose request it is taken for. */
  look(message: Parameters<typeof peerOf>[0], address: string): void;
  /** The private IP address from which every request for the public host came so far. */
  readonly suspect: string | undefined;
}

/** Requests from one private IP address after which the log warns. */
const requestsBeforeWarning = 20;

export function createProxyWatch({ warn }: Pick<Log, 'warn'>): ProxyWatch {
  let suspect: string | undefined;
  let requests = 0;
  /** Requests also come from elsewhere, or a header says from where. */
  let isCleared = false;
  return {
    look(message, address) {
      if (isCleared || isForLoopback(message.headers)) return;
      const peer = peerOf(message);
      isCleared = address !== peer || isPublicIp(peer) || (suspect ?? peer) !== peer;
      suspect = isCleared ? undefined : peer;
      requests += 1;
      if (!isCleared && requests === requestsBeforeWarning) warn({ peer, requests }, unnamedProxyWarning);
    },
    get suspect() {
      return suspect;
    },
  };
}

const unnamedProxyWarning =
  'Every request so far came from one private IP address. If that is your proxy, all visitors share its IP address: ' +
  'let the proxy send X-Forwarded-For, and set GATEHOUSE_TRUST_PROXY to the IP address of the proxy.';
