// The one door for every request to an address that comes from a request, content, a setting or a remote answer.

export interface Outgoing {
  /**
   * Asks, and answers what came back below 400 within every limit. Refuses with the `Problem` `unsafe_url` (400) what must not be
   * asked, and throws `Upstream` for whatever the other side did wrong.
   */
  fetch(url: string, purpose: Purpose): Promise<Fetched>;
}

/** What is asked for, and how much of it is taken. */
export interface Purpose {
  /** For the log: `embed`. */
  readonly name: string;
  /** Media types that are taken, `image/` for all of a family. */
  readonly types: readonly string[];
  /** Bytes of the body, unpacked. */
  readonly most: number;
  /** In milliseconds; 10 seconds without it. */
  readonly within?: number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface Fetched {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in small letters. */
  readonly type: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
}

/** The other side did not answer as it should. Whoever asked says it with a code of its own: 502, or 504 when it was late. */
export class Upstream extends Error {
  readonly fault: 'unreachable' | 'late' | 'status' | 'type' | 'size' | 'redirects' | 'broken';
  /** Of the answer, where there was one. */
  readonly status: number | undefined;

  constructor(fault: Upstream['fault'], message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
    this.status = status;
  }
}
