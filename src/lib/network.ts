import ipaddr from 'ipaddr.js';

/** Whose address this is, as far as addresses tell: of IPv6 one customer has up to a whole /48. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 3).join(':');
}
