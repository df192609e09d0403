import type { Face } from './faces.ts';
import type { Knock } from './knock.ts';
import type { FormFile, Upload } from './upload.ts';

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
  readonly knock?: Knock | undefined;
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
export function watched(request: Request): { readonly request: Request; looked(): boolean } {
  let seen = false;
  const look = (): Request => {
    seen = true;
    return request;
  };
  const { face, method, path, query, hasLeft } = request;
  return {
    request: {
      ...(hasLeft && { hasLeft }),
      face,
      method,
      path,
      query,
      get id() {
        return look().id;
      },
      get headers() {
        return look().headers;
      },
      get address() {
        return look().address;
      },
      get knock() {
        return look().knock;
      },
      sources: (limit, as) => look().sources(limit, as),
    },
    looked: () => seen,
  };
}
