/** What the site says of itself wherever it speaks of itself. */
export interface About {
  /** The public base address. */
  readonly url: string;
  readonly title: string;
  /** As the interface writes it, `en_GB`. */
  readonly language: string;
  /** Whether records of users name pictures of them, and where those are. */
  readonly avatars: boolean;
  readonly avatarBase: string;
}

/** What every site speaks, whatever its own language. */
export const firstLanguage = 'en_US';
