import type { Face } from './faces.ts';

/** The arguments a body brought. `document` is the whole JSON value, for routes that take one. */
export interface Sources {
  readonly json?: Record<string, unknown>;
  readonly form?: Record<string, unknown>;
  readonly document?: unknown;
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
  sources(limit: number): Promise<Sources>;
}

export const noSources: Sources = Object.freeze({});
