// What a table looks like, whichever engine keeps it.
export type Kind = 'integer' | 'real' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Shape {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The column that the database numbers. */
  readonly numbered?: string | undefined;
  /** Which package it came with; nothing when with the program. */
  readonly owner?: string | undefined;
}
