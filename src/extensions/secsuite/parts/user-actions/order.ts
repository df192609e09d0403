// What is to be done with many users, and with whom.

export interface Actions {
  readonly 'force-logout'?: true;
  readonly 'reset-password'?: true;
  /** Ids of groups. */
  readonly 'add-user-groups'?: readonly string[];
}

type Query = Readonly<Record<string, unknown>>;

/** One part of an order: the users after the last one who was in the part before. */
export interface Order {
  readonly id: string;
  /** Who gave it, and who answers for it. */
  readonly by: number;
  readonly answers: number;
  readonly actions: Actions;
  /** Users by number, rising, or whom a list would show. */
  readonly whom: { readonly users: readonly number[] } | { readonly query: Query };
  readonly after: number;
  /** Where it came from. */
  readonly from: string;
}

/** How many users a part has. */
export const inOnePart = 100;
