// Headers that are read and written by hand: `Cookie`, `Set-Cookie` and `Strict-Transport-Security`.

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

/** A cookie that scripts cannot read and that forms of other sites do not send. */
export function cookieText(name: string, value: string, { path, maxAge, secure }: CookieTerms): string {
  const terms = [`${name}=${value}`, `Path=${path}`];
  if (maxAge !== undefined) terms.push(`Max-Age=${maxAge}`);
  terms.push('HttpOnly', 'SameSite=Lax');
  if (secure) terms.push('Secure');
  return terms.join('; ');
}

/** A browser that has seen the header uses only HTTPS for this host, or for all hosts below it too. */
export const strictTransports = ['on', 'subdomains', 'off'] as const;
export type StrictTransport = (typeof strictTransports)[number];

/** One year, in seconds, because the preload lists of browsers accept no less. */
const transportMaxAge = 365 * 24 * 60 * 60;

/** The value of the header for this public URL; undefined when it is not sent. */
export function strictTransportHeader(url: string, setting: StrictTransport): string | undefined {
  if (setting === 'off' || !url.startsWith('https:')) return undefined;
  return `max-age=${transportMaxAge}${setting === 'subdomains' ? '; includeSubDomains' : ''}`;
}
