const blanks = new Set([' ', '\t', '\n', '\r', '\0', '\v']);

/** Sites of the classic kind take these off both ends of a password before they hash it. */
export function trimmed(password: string): string {
  let [start, end] = [0, password.length];
  while (start < end && blanks.has(password[start]!)) start += 1;
  while (end > start && blanks.has(password[end - 1]!)) end -= 1;
  return password.slice(start, end);
}
