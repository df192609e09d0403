// Text of people as a literal in a pattern of nginx or Apache, within double quotes.

/** What means nothing to a pattern, to quotes, or to the files themselves. */
const plain = /^[\w /,:;=@-]$/;
/** What means something to a pattern alone, where a backslash takes it away. */
const sign = /^[.()[\]*+?^|]$/;
/** Either program reads a word of at most 4096 signs. */
const longest = 3500;

/** Nothing where it is too long to be written down. */
export function literal(text: string): string | undefined {
  const written = Array.from(text, (one) => {
    if (plain.test(one)) return one;
    return sign.test(one) ? `\\${one}` : bytesOf(one);
  }).join('');
  return written.length > longest ? undefined : written;
}

/** By their numbers: quotes, backslashes, dollars, braces, line breaks, and whatever is not ASCII. */
const bytesOf = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
