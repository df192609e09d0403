// Whether a proxy hands on every request without saying whose it is: then all visitors share its IP address.
import { peerOf } from '#kernel/http/client.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import { isForLoopback } from '#lib/loopback.ts';
import type { Log } from '#store/engine.ts';

type Came = Parameters<typeof peerOf>[0];

export interface ProxyWatch {
  /** `address`: whose request it is taken for. */
  look(message: Came, address: string): void;
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
