// The `Strict-Transport-Security` header: a browser that has seen it uses HTTPS alone for this host.

/** For the host of the site, for all hosts below it too, or not sent. */
export const strictTransports = ['on', 'subdomains', 'off'] as const;
export type StrictTransport = (typeof strictTransports)[number];

/** A year, in seconds: the least that preload lists of browsers take. */
const maxAge = 365 * 24 * 60 * 60;

/** What the header says at this public address; nothing where it is not sent. */
export function strictTransportOf(url: string, setting: StrictTransport): string | undefined {
  if (setting === 'off' || !url.startsWith('https:')) return undefined;
  return `max-age=${maxAge}${setting === 'subdomains' ? '; includeSubDomains' : ''}`;
}
