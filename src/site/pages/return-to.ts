// Where somebody goes on to after signing in: to a page of this host, never to another.

/** No longer address is taken at all. */
const longest = 8000;

/**
 * The path, query and fragment of an address on the host of `base`; nothing when it leads anywhere else. The host itself is
 * left out, so that a site that was opened under another name of the same machine stays there.
 */
export function returnTo(asked: string, base: string): string | undefined {
  // Browsers drop line breaks and tabs and take a backslash for a slash: what is checked here must be what they see.
  if (asked === '' || asked.length > longest || /[\s\\\p{Cc}]/u.test(asked)) return undefined;
  const home = new URL(`${base}/`);
  if (!URL.canParse(asked, home)) return undefined;
  const found = new URL(asked, home);
  const isOurs = found.origin === home.origin && found.username === '' && found.password === '';
  // Two slashes in front would name a host.
  return isOurs && !found.pathname.startsWith('//') ? `${found.pathname}${found.search}${found.hash}` : undefined;
}
