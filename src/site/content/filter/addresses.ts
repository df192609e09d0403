// Addresses in what people write: only of kinds that a browser opens without running them.

const schemes = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
);

/** Browsers do not see them where they look for a scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const unseen = /^[\x00-\x20]+|[\t\n\r\0]+/g;

const scheme = /([a-z][a-z0-9+.-]*):/iy;

/** The address without the schemes it may not have; what comes after them stays. */
export function safeAddress(written: string): string {
  const seen = written.replace(unseen, '');
  for (let from = 0; ; ) {
    scheme.lastIndex = from;
    const found = scheme.exec(seen);
    if (found === null || schemes.has(found[1]!.toLowerCase())) return seen.slice(from);
    from = scheme.lastIndex + (/^[\s\p{Cc}]*/u.exec(seen.slice(scheme.lastIndex))?.[0].length ?? 0);
  }
}

/** Several, each with how wide it is: as `srcset` has them, where a comma ends an address only with a space behind it. */
export function safeAddresses(written: string): string {
  const safe: string[] = [];
  const addresses = /[^\s,]\S*/g;
  for (let found = addresses.exec(written); found !== null; found = addresses.exec(written)) {
    const address = safeAddress(found[0]).replace(/^,+|(?<!,),+$/g, '');
    const next = found[0].endsWith(',') ? addresses.lastIndex : ends(written, addresses.lastIndex);
    const width = written.slice(addresses.lastIndex, next).trim();
    addresses.lastIndex = next;
    if (address !== '') safe.push(/^[\d.]+[wxh](?:\s+[\d.]+[wxh])?$/.test(width) ? `${address} ${width}` : address);
  }
  return safe.join(', ');
}

const ends = (written: string, from: number): number => {
  const comma = written.indexOf(',', from);
  return comma < 0 ? written.length : comma;
};

/** A document that is shown inside of another: on this site alone, and only what cannot run there. */
export const isOwnDocument = (written: string, uploads: string | undefined): boolean =>
  /^[^?#]+\.pdf(?:$|[?#])/i.test(written) &&
  !/(?:^|\/)\.{1,2}\//.test(written) &&
  (/^\/(?![/\\])/.test(written) || (uploads !== undefined && written.startsWith(`${uploads}/`)));
