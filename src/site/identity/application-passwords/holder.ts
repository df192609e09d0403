import type { User } from '../users/user.ts';

/** Who holds a credential that was shown. */
export interface Holder {
  readonly user: User;
  readonly id: number;
  readonly uuid: string;
  /** The number of the user who made it, mostly of its owner; `nobodys` at the command line. */
  readonly madeBy: number;
}
