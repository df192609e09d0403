// The characters of a password before it is hashed.

/** The same characters are one password, whichever keyboard wrote them: as it is kept, and as it is judged. */
export const composed = (password: string): string => password.normalize('NFKC');

const blanks = new Set([' ', '\t', '\n', '\r', '\0', '\v']);

/** Sites of the classic kind take these off both ends of a password before they hash it. */
export function trimmed(password: string): string {
  let [start, end] = [0, password.length];
  while (start < end && blanks.has(password[start]!)) start += 1;
  while (end > start && blanks.has(password[end - 1]!)) end -= 1;
  return password.slice(start, end);
}
