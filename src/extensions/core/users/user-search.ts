// Whom the list of users would show somebody, for work that goes on after they have asked: by number, a part at a time.
import type { Asker } from '#kernel/schema.ts';
import type { User } from '#site/identity/users/user.ts';

/** Users with higher numbers than `after`. */
interface Part {
  readonly after: number;
  readonly most: number;
}

export interface UserSearch {
  /** As the list would by these arguments, but for its order and pages. Throws a `Problem` where it would refuse them. */
  found(query: Readonly<Record<string, unknown>>, asker: Asker, part: Part): Promise<User[]>;
}
