// A request as it arrived, before its body is read; the one that the running code works for; and a request as the kernel sees it.
import { Ambient } from '#lib/ambient.ts';
import type { Face } from './faces.ts';
import type { FormFile, Upload } from './upload.ts';

export interface IncomingRequest {
  readonly id: string;
  /** Such as `HTTP/1.1`. */
  readonly protocol: string;
  readonly method: string;
  /** Path and query below the base path of the site. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The IP address of the client, as far as trusted proxies tell it. */
  readonly address: string;
  /** IP address and port at the other end of the connection. */
  readonly peer: string;
  readonly port: number | undefined;
  /** When it arrived, by `performance.now()`. */
  readonly began: number;
  /** The id of the user who sent it, once that is known; 0 until then and for anonymous requests. */
  user: number;
  /** Waits for another site. Meanwhile another request takes this one's place among those being answered. */
  outside?<T>(wait: () => Promise<T>): Promise<T>;
}

export const hasBody = ({ headers }: Pick<IncomingRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Whom the work under way is done for. */
export interface WorkFacts {
  readonly request: IncomingRequest | undefined;
}

export const workUnderWay = new Ambient<WorkFacts>();

/** Undefined in work that belongs to no request, such as jobs. */
export const currentRequest = (): IncomingRequest | undefined => workUnderWay.now.request;

export const withRequest = <R>(request: IncomingRequest, work: () => R): R => workUnderWay.with({ request }, work);

/** Waits for another site, as part of the request that needs it. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const incoming = currentRequest();
  return incoming?.outside === undefined ? wait() : incoming.outside(wait);
}

/** For work that goes on by itself, whichever request started it. */
export const withoutRequest = <R>(work: () => R): R => workUnderWay.with({ request: undefined }, work);

/** The arguments a body brought. `document` is the whole JSON value, for routes that take one. */
export interface Sources {
  readonly json?: Record<string, unknown> | undefined;
  readonly form?: Record<string, unknown> | undefined;
  readonly document?: unknown;
  /** The body is JSON that nobody read, because its content type says something else. */
  readonly isUnreadJson?: true | undefined;
  readonly upload?: Upload | undefined;
  /** Of a form that brings files where none are taken; only for those who look at parts. */
  readonly files?: readonly FormFile[] | undefined;
  /** The body byte by byte, where it was asked for so. */
  readonly bytes?: Uint8Array | undefined;
}

/** A request as the kernel sees it, whoever carries it: HTTP, a batch, an embed, a test, the console's server side. */
export interface Request {
  readonly id: string;
  readonly face: Face;
  readonly method: string;
  /** Below the root of the face, percent-decoded, with a slash in front. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The client's address. */
  readonly address: string;
  /** The request as it came to the door; none where it came from inside. */
  readonly incoming?: IncomingRequest | undefined;
  /** Whether nobody waits for the answer any longer: then nothing more is begun for it. */
  hasLeft?(): boolean;
  /** It is one of a batch, whose request came to the door: with this body, wherever it leads. */
  readonly part?: { readonly body: Readonly<Record<string, unknown>> | undefined };
  /** Its body as it came, before anybody asked what it means; nothing where it has none, or comes in parts. */
  bytes?(limit: number): Promise<Uint8Array | undefined>;
  /**
   * Its body, read once: whoever asks later gets what the first asked for. It is read with this limit. `file`: it brings a file, as
   * the body itself or in a form. `bytes`: it is signed, so its bytes are wanted besides what they mean. `parts`: files in a form are wanted
   * too, where nobody takes them.
   */
  sources(limit: number, as?: 'file' | 'bytes' | 'parts'): Promise<Sources>;
}

export const noSources: Sources = Object.freeze({});

/**
 * The request as a handler sees it. Kept answers are known by their address alone, so one that was made from anything else,
 * a header or where the client is, must not be kept for the next who asks.
 */
export class WatchedRequest implements Request {
  readonly face: Face;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #request: Request;
  #wasLookedAt = false;

  constructor(request: Request) {
    this.face = request.face;
    this.method = request.method;
    this.path = request.path;
    this.query = request.query;
    this.#request = request;
  }

  /** Whether anything but its address was asked for. */
  get wasLookedAt(): boolean {
    return this.#wasLookedAt;
  }

  get id(): string {
    return this.#look().id;
  }

  get headers(): Request['headers'] {
    return this.#look().headers;
  }

  get address(): string {
    return this.#look().address;
  }

  get incoming(): IncomingRequest | undefined {
    return this.#look().incoming;
  }

  hasLeft(): boolean {
    return this.#request.hasLeft?.() === true;
  }

  sources(...asked: Parameters<Request['sources']>): Promise<Sources> {
    return this.#look().sources(...asked);
  }

  #look(): Request {
    this.#wasLookedAt = true;
    return this.#request;
  }
}

type Inner = Pick<Request, 'method' | 'path' | 'query' | 'headers' | 'sources'> & Partial<Pick<Request, 'part'>>;

/** A request that is made for another one, whose client it is for. Members are named: those of a class are not spread. */
export const requestFor = (outer: Request, inner: Inner): Request => ({
  id: outer.id,
  face: outer.face,
  address: outer.address,
  incoming: outer.incoming,
  hasLeft: () => outer.hasLeft?.() === true,
  ...(outer.part && { part: outer.part }),
  ...inner,
});
