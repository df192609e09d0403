// Whose request it is. An extension may know better which header tells, by `services.clients`.
import { type Came, type ClientOf, clientAddresses, peerOf, trusting } from '#kernel/http/client.ts';

export interface Arrived {
  /** Who is at the other end of the connection. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The peer, or what the trusted proxies tell of it. */
  own(): string;
}

/** Answers an address in its one form. */
export type Detector = (arrived: Arrived) => string;

export interface Clients {
  readonly of: ClientOf;
  /** The peer, or what the trusted proxies tell of it, whoever may know better. */
  own(peer: string, headers: Came['headers']): string;
  /** Whether the operator named proxies at all, and whether this is one of them. */
  readonly hasTrusted: boolean;
  isTrusted(address: string): boolean;
  /** From now on it is found this way. Returns how to find it as before. */
  detect(detector: Detector): () => void;
}

export function createClients(trusted: readonly string[]): Clients {
  const own = clientAddresses(trusted);
  let detector: Detector | undefined;
  return {
    of(message) {
      if (detector === undefined) return own(message);
      return detector({ peer: peerOf(message), headers: message.headers, own: () => own(message) });
    },
    own: (remoteAddress, headers) => own({ headers, socket: { remoteAddress } }),
    hasTrusted: trusted.length > 0,
    isTrusted: trusting(trusted),
    detect(one) {
      detector = one;
      return () => {
        if (detector === one) detector = undefined;
      };
    },
  };
}
