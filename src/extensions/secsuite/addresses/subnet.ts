// The smallest network that whoever has an address has for certain: of IPv6 a /64, in which a machine takes any address it likes.
import { addressOf, type Block, masked, written } from './block.ts';

export const subnetOf = (address: Block): Block => (address.family === 4 ? address : masked(6, address.words, 64));

/** The same of a text; what is no address is a network of its own. */
export function subnetIn(text: string): string {
  const address = text.includes(':') ? addressOf(text) : undefined;
  return address === undefined ? text : written(subnetOf(address));
}
