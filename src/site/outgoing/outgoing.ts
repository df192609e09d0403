// The one door for every request to an address that comes from a request, content, a setting or a remote answer.
export { answeredBy, isNameless, refusing, Upstream } from './upstream.ts';

export interface Outgoing {
  /**
   * Asks, and answers what came back below 400 within every limit. Refuses with the `Problem` `unsafe_url` (400) what must not be
   * asked, and throws `Upstream` for whatever the other side did wrong.
   */
  fetch(url: string, purpose: Purpose): Promise<Fetched>;
  /** Throws as `fetch` would before it connects to anybody. What passes is vetted again when it is asked. */
  vet(url: string, purpose: Pick<Purpose, 'name' | 'within' | 'signal'>): Promise<void>;
}

/** What is asked for, and how much of it is taken. */
export interface Purpose {
  /** For the log: `embed`. */
  readonly name: string;
  /** Media types that are taken, `image/` for all of a family. */
  readonly types: readonly string[];
  /** Errors whose answers are wanted all the same, where they are of one of these types. */
  readonly errors?: readonly number[] | undefined;
  /** Bytes of the body. It comes unpacked: no packing is asked for, and what is packed all the same is refused. */
  readonly most: number;
  /** From the first look at the address to the last byte, in milliseconds; 10 seconds without it. */
  readonly within?: number | undefined;
  /** What is asked for by HEAD has no body, and is told by its headers alone. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE' | undefined;
  /** How many answers in a row may lead on; 3 without it. */
  readonly redirects?: number | undefined;
  /** Whether an answer that leads to another host is refused. */
  readonly withinHost?: true | undefined;
  /** Not carried to another origin. Host, cookies and the like are never sent from here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Fetched {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in small letters. */
  readonly type: string;
  readonly headers: Headers;
  /** To be read once. A failure on the way is an `Upstream` here too. */
  readonly body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** In the character set the answer names, else UTF-8. */
  text(): Promise<string>;
  /** The same of its first bytes, so many at most; what follows is not read. */
  beginning(most: number): Promise<string>;
  /** For who does not read the body to its end. Without it the connection is closed when the time is up. */
  close(): void;
}
