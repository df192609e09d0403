// Cookies as browsers send them and as they are given out.

/** The value of the first cookie of this name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const split = pair.indexOf('=');
    if (split > 0 && pair.slice(0, split).trim() === name) return pair.slice(split + 1).trim();
  }
  return undefined;
}

interface CookieTerms {
  readonly path: string;
  /** In seconds; without it the browser forgets the cookie when it closes. 0 takes it back. */
  readonly maxAge?: number | undefined;
  /** Sent over HTTPS only. */
  readonly secure: boolean;
}

/** A cookie that no script reads and no form of another site brings along. */
export function cookieText(name: string, value: string, { path, maxAge, secure }: CookieTerms): string {
  const terms = [`${name}=${value}`, `Path=${path}`];
  if (maxAge !== undefined) terms.push(`Max-Age=${maxAge}`);
  terms.push('HttpOnly', 'SameSite=Lax');
  if (secure) terms.push('Secure');
  return terms.join('; ');
}
