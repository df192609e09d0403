/** What stands in these is text to browsers, whatever it looks like, up to where they end. */
export const rawElements: ReadonlySet<string> = new Set(
  'script style textarea title xmp plaintext iframe noembed noframes'.split(' '),
);
