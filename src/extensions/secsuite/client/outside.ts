// Whether an address is that of somebody outside: not of a network within, and not reserved.
import { addressOf, type Block, blockOf, covers } from '../addresses/block.ts';

const within = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['224.0.0.0/3', '::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
].map((text) => blockOf(text) as Block);

export function isOutside(text: string): boolean {
  const address = addressOf(text);
  return address !== undefined && !within.some((block) => covers(block, address));
}
