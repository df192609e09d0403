// Where the address of a client is looked for.

/** A header, and which of the addresses in it: so many from its end. Without a place, the last that will do. */
export interface Place {
  readonly name: string;
  readonly position?: number;
}

/** Where the address is looked for: in a header, where the house looks, or at the other end of the connection alone. */
export type Source = Place | 'house' | 'peer';
