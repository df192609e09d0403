// Paths outside the interface that people and operators open: pages, health, metrics. They know nothing of the server either.
import type { Readable } from 'node:stream';

export interface Visit {
  /** HEAD counts as GET. */
  readonly method: 'GET' | 'POST';
  /** The request's id, for the log. */
  readonly id: string;
  /** The address as it was asked for, below the base: nobody has looked at it yet. */
  readonly url: string;
  /** Read as the interface reads queries: `a[]=1` is a list, a repeated name its last value. */
  readonly query: Readonly<Record<string, unknown>>;
  /** What a form sent; empty for GET. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client, as far as trusted proxies tell. */
  readonly address: string;
  /** Who is at the other end of the connection. */
  readonly peer: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Whoever asks for this very address, without a session, gets this and nothing else: it may be kept. */
  readonly anybodys?: boolean;
}

/** What is too long to be held. A stream that nobody wants to its end is destroyed. */
export interface StreamedAnswer extends Omit<PageAnswer, 'body'> {
  readonly body: Readable;
}

export interface Page {
  readonly path: string;
  /** Whether forms are sent here. */
  readonly takesForms?: boolean;
  visit(visit: Visit): PageAnswer | StreamedAnswer | Promise<PageAnswer | StreamedAnswer>;
}
