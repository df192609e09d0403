// A file that came with a request. It lies aside on this machine until the answer is made, and is gone then: whoever wants it keeps
// a copy.

export interface Upload {
  /** As it was sent, without folders. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Whether it was one part of a form, and not the body itself. */
  readonly inForm: boolean;
  /** In which field of the form it came, and as what; nothing where nobody said so. */
  readonly field?: string;
  readonly type?: string;
  release(): Promise<void>;
}

/** A file in a form that nobody takes files from, held in memory for those who look at what is sent. */
export interface FormFile {
  readonly field: string;
  /** As it was sent, without folders. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Bytes laid aside while they arrive. */
export interface Laid {
  readonly path: string;
  release(): Promise<void>;
}

/** Lays bytes aside. When they break off, it leaves nothing and throws what they threw. */
export type Spool = (bytes: AsyncIterable<Uint8Array>) => Promise<Laid>;
