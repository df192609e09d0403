// Paths outside the interface that people and operators open: pages, health, metrics. They know nothing of the server either.
import type { Readable } from 'node:stream';
import type { Upload } from '../upload.ts';

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
  /** Of a form with a file, where the page takes one: reads it now, with a file of so many bytes at most. It is gone after the visit. */
  sent?(limit: number): Promise<SentForm>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client, as far as trusted proxies tell. */
  readonly address: string;
  /** Who is at the other end of the connection. */
  readonly peer: string;
}

export interface SentForm {
  readonly form: Readonly<Record<string, unknown>>;
  readonly upload: Upload;
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
  /** Whether it is asked for by those who watch over the process: it is answered however much else there is to do. */
  readonly isVital?: true;
  /** Whether forms with a file are: nothing of one is read until the page knows whose it is, and asks. */
  readonly takesFiles?: true;
  visit(visit: Visit): PageAnswer | StreamedAnswer | Promise<PageAnswer | StreamedAnswer>;
}

/** The page at this address, below the base, as it was asked for; nothing where none is just now. */
export type PageAt = (url: string) => Page | undefined;

/** Finds pages by the path alone, with a slash at its end or without. */
export function pageFinder(pages: readonly Page[]): PageAt {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return (url) => byPath.get(url.replace(/[?#].*$/s, '').replace(/(.)\/$/, '$1'));
}
