// Whether an address leads away from this site: whatever names no host that can be read does.

const named = /^https?:\/\/([^/?#]*)/i;

export function leadsAway(address: string, siteHost: string): boolean {
  if (address === '') return false;
  const [, authority = ''] = named.exec(/^http/i.test(address) ? address : `https://${address}`) ?? [];
  const [, host] =
    /^(\[[\da-f:.]+\]|[^\s\\:[\]]+)(?::\d*)?$/i.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  return host?.toLowerCase() !== siteHost.toLowerCase() || /[\\\p{Cc}]/u.test(authority);
}
