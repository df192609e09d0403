/** One way in which passwords are kept. */
export interface HashKind {
  /** Whether it knows how to check this hash, and checking it costs no more than is sane. */
  reads(hash: string): boolean;
  fits(hash: string, password: string): Promise<boolean>;
  /** Whether a password kept like this is to be hashed anew. */
  outdated(hash: string): boolean;
}
