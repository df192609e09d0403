// How passwords are kept: argon2id, off the main thread, so many at a time and no more in line.

export interface Verdict {
  readonly fits: boolean;
  /** Made in an older way: to be hashed anew while the password is at hand. */
  readonly outdated: boolean;
}

export interface Passwords {
  /** What is wrong with a password as such, as a sentence; nothing when it can be one. */
  fault(password: string): string | undefined;
  hash(password: string): Promise<string>;
  /** An empty hash fits nothing, and takes as long as any other. */
  verify(hash: string, password: string): Promise<Verdict>;
}

export function createPasswords(): Passwords {
  throw new Error('not built yet');
}
