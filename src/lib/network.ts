import ipaddr from 'ipaddr.js';

/** Whose address this is, as far as addresses tell: of IPv6 one customer has up to a whole /48. */
export const networkOf = (address: string): string => prefixOf(address, 3);

/** The network that whoever has an address has for certain: of IPv6 a /64, in which a machine takes any address it likes. */
export const subnetOf = (address: string): string => prefixOf(address, 4);

/** `groups`: how many groups of an IPv6 address stay. */
function prefixOf(address: string, groups: number): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':').slice(0, groups).join(':');
}
