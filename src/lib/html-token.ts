// A tag, a comment or a stretch of text in HTML.

export interface Attribute {
  /** In small letters. */
  readonly name: string;
  /** As it was written, entities and all; nothing for a name alone. */
  readonly written: string | null;
}

interface Stretch {
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

export interface Opening extends Stretch {
  readonly kind: 'open';
  /** In small letters. */
  readonly name: string;
  /** The first of each name. */
  readonly attributes: readonly Attribute[];
  /** Whether it was written with a slash at its end. */
  readonly closed: boolean;
}

export type Token =
  | Opening
  | (Stretch & { readonly kind: 'close'; readonly name: string })
  | (Stretch & { readonly kind: 'text' })
  /** What stands between its marks. Whatever else browsers take for one is left out. */
  | (Stretch & { readonly kind: 'comment'; readonly said: string });
