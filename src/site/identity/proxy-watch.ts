// Watches whether the IP addresses of visitors arrive. Behind a proxy that does not tell them, all visitors share the IP address of the
// proxy, and the operator has to set something.
import { isIP } from 'node:net';
import { type Came, hopsOf, peerOf, trusting } from '#kernel/http/client.ts';
import { isForLoopback, isLoopback, isPrivateIp, requestedHost } from '#lib/ip-address.ts';
import { day, hour } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { Clock } from '../platform/clock.ts';
import { adviceOn, type ProxyAdvice, type ProxyFault, type ProxyFaultKind, proxyFaultKinds } from './proxy-advice.ts';

export interface ProxyWatch {
  /** Whether a peer on the loopback interface is believed about the client of this request. */
  believesLoopback(message: Came): boolean;
  /** Notes a request. `address`: the IP address that the site takes for the client's. */
  look(message: Came, address: string): void;
  /** Whether this is the IP address of a proxy that names no visitors, which all of them share. */
  isShared(address: string): boolean;
  /** What to do about it, once enough requests show it. */
  readonly advice: ProxyAdvice | undefined;
}

interface ProxyWatchDeps {
  /** The public address of the site. */
  readonly url: string;
  readonly clock: Clock;
  /** The list of trusted proxies. */
  readonly trusted: readonly string[];
  readonly log: Pick<Log, 'warn'>;
}

/** Requests from one IP address that did not name their client: when the last came with each fault, and how many there were. */
interface Seen extends Record<ProxyFaultKind, number> {
  requests: number;
}

/** The site asks itself once a day, which shows a nameless proxy even if nobody visits. */
const rememberedFor = day + hour;
/** More than one private IP address means that visitors have addresses of their own, so it does not matter how many there are. */
const maxPeers = 8;
/** Requests from one private IP address after which the operator is warned. */
const requestsBeforeWarning = 20;
const never = Number.NEGATIVE_INFINITY;

/** A proxy that asks for `localhost` may come by either. */
const oneLoopback = (address: string): string => (address === '::1' ? '127.0.0.1' : address);

export function createProxyWatch({ url, clock, trusted, log }: ProxyWatchDeps): ProxyWatch {
  const isPublic = publicHost(url);
  const faultIn = faultFinder({ url, trusted, isPublic });
  const peers = new Map<string, Seen>();
  /**
   * Proxies on this machine that pass on the host name and name the client. They are believed about other host names too: otherwise a
   * client could hide behind the IP address of the proxy by sending another `Host`.
   */
  const naming = new Set<string>();
  let lastDirect = never;
  let hasWarned = false;
  const isFresh = (at: number): boolean => clock().getTime() - at < rememberedFor;

  function note(address: string, kind: ProxyFaultKind): void {
    const seen = peers.get(address) ?? { nameless: never, untrusted: never, rewritten: never, requests: 0 };
    seen[kind] = clock().getTime();
    seen.requests += 1;
    if (peers.size >= maxPeers && !peers.has(address)) peers.delete(peers.keys().next().value!);
    peers.set(address, seen);
    const advice = hasWarned || seen.requests < requestsBeforeWarning ? undefined : adviceNow();
    if (advice === undefined) return;
    hasWarned = true;
    log.warn({ address, lines: advice.lines }, `${advice.problem} ${advice.remedy}`);
  }

  function faultNow(): (ProxyFault & Pick<Seen, 'requests'>) | undefined {
    const kindOf = (seen: Seen) => proxyFaultKinds.find((kind) => isFresh(seen[kind]));
    const found = [...peers].flatMap(([address, seen]) => {
      const kind = kindOf(seen);
      return kind === undefined ? [] : [{ address, kind, requests: seen.requests }];
    });
    return found.length === 1 ? found[0] : undefined;
  }

  function adviceNow(): ProxyAdvice | undefined {
    const fault = peers.size === 0 || isFresh(lastDirect) ? undefined : faultNow();
    if (fault === undefined || fault.requests < requestsBeforeWarning) return undefined;
    return adviceOn(fault, { url, trusted });
  }

  return {
    believesLoopback(message) {
      const peer = oneLoopback(peerOf(message));
      const seen = peers.size === 0 ? undefined : peers.get(peer);
      if (seen !== undefined && isFresh(seen.nameless)) {
        naming.delete(peer);
        return false;
      }
      if (isPublic(message.headers)) naming.add(peer);
      return naming.has(peer);
    },
    look(message, address) {
      if (!isPrivateIp(address)) {
        if (address === peerOf(message) && isPublic(message.headers)) lastDirect = clock().getTime();
        return;
      }
      const kind = faultIn(message, address);
      if (kind !== undefined) note(oneLoopback(address), kind);
    },
    isShared: (address) => peers.size > 0 && faultNow()?.address === oneLoopback(address),
    get advice() {
      return adviceNow();
    },
  };
}

interface FinderDeps extends Pick<ProxyWatchDeps, 'url' | 'trusted'> {
  isPublic(headers: Came['headers']): boolean;
}

/** Answers undefined for a request that names its client, or says nothing about a proxy. */
function faultFinder({ url, trusted, isPublic }: FinderDeps) {
  const isTrusted = trusting(trusted);
  const isPublicSite = !isLoopback(new URL(url).hostname);
  const unnamed = (message: Came, address: string): ProxyFaultKind | undefined => {
    const hops = hopsOf(message).length;
    // A trusted proxy names another one, which names its client in turn.
    if (address !== peerOf(message)) return hops > 1 ? 'untrusted' : undefined;
    return hops > 0 && !isTrusted(address) ? 'untrusted' : 'nameless';
  };
  const isRewritten = ({ headers }: Came): boolean =>
    headers['x-forwarded-for'] !== undefined || headers['sec-fetch-dest'] === 'document';
  return (message: Came, address: string): ProxyFaultKind | undefined => {
    if (isPublic(message.headers)) return isMonitor(message) ? undefined : unnamed(message, address);
    const isForHere = isPublicSite && isForLoopback(message.headers) && address === peerOf(message);
    return isForHere && isRewritten(message) ? 'rewritten' : undefined;
  };
}

/** Monitors and load balancers ask these directly. The site asks `/healthz` at its public address with this header. */
const monitored = /^[^?]*\/(?:healthz|readyz|metrics)(?:\?|$)/;
export const mirrorHeader = 'x-gatehouse-mirror';

const isMonitor = ({ url = '', headers }: Came): boolean => monitored.test(url) && headers[mirrorHeader] === undefined;

/**
 * Whether a request asks for a host name by which the world reaches the site. Another one than that of `GATEHOUSE_URL` counts too, because
 * that one may have a typing error, or the site several names.
 */
function publicHost(url: string): (headers: Came['headers']) => boolean {
  const own = requestedHost({ host: new URL(url).host });
  const isOne = (host: string): boolean =>
    !isLoopback(host) && (host === own || (isIP(host) === 0 && host.includes('.') && !host.endsWith('.localhost')));
  let last = { header: '', isPublic: false };
  return ({ host }) => {
    const header = String(host ?? '');
    if (last.header !== header) last = { header, isPublic: isOne(requestedHost({ host: header })) };
    return last.isPublic;
  };
}
