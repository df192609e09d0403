// Where a site is: written one way, so that it is the same whenever it is told, and found in whatever way people write it.
import { domainToUnicode } from 'node:url';
import { Problem } from '#kernel/problem.ts';
import { fold } from '#lib/fold.ts';

export function addressIn(domain: string): string {
  const address = URL.parse(domain);
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (address === null || !isWeb || address.username !== '' || address.password !== '')
    throw new Problem(
      400,
      'rest_invalid_param',
      'The domain must be the address of the site, with https:// before it.',
      { params: { domain: 'This is no address of a site.' } },
    );
  return `${address.origin}${address.pathname.replace(/\/$/, '')}`;
}

/** An address is kept in letters that every machine knows; people look for it in those of their language. */
export function addressKeyOf(address: string): string {
  const { protocol, hostname, port, pathname } = new URL(address);
  const host = domainToUnicode(hostname) || hostname;
  const spelt = `${protocol}//${host}${port && `:${port}`}${decoded(pathname)}`;
  return [...new Set([address, spelt].map(fold))].join('\n');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
