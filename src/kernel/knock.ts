// One request as it came to the door, before anybody looked at it; and which one is at work just now.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Knock {
  readonly id: string;
  /** Such as `HTTP/1.1`. */
  readonly protocol: string;
  readonly method: string;
  /** As it was asked for, below the base: path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client, as far as trusted proxies tell. */
  readonly address: string;
  /** Who is at the other end of the connection, and at which of its doors. */
  readonly peer: string;
  readonly port: number | undefined;
  /** When it came, by `performance.now()`. */
  readonly began: number;
  /** Who asks, once that is known; 0 until then, and for nobody. */
  user: number;
  /** Waits for another site: meanwhile another request has the place of this one. */
  outside?<T>(wait: () => Promise<T>): Promise<T>;
}

/** Whether a body comes with it. */
export const hasBody = ({ headers }: Pick<Knock, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const underWay = new AsyncLocalStorage<Knock>();

/** The request for which this is done; nothing, where it is done for none. */
export const knocking = (): Knock | undefined => underWay.getStore();

export const forKnock = <R>(knock: Knock, work: () => R): R => underWay.run(knock, work);

/** Waits for another site, as part of the request that needs it. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const knock = knocking();
  return knock?.outside === undefined ? wait() : knock.outside(wait);
}

/** What goes on by itself is done for no request, whichever woke it. */
export const forNobody = <R>(work: () => R): R => underWay.exit(work);
