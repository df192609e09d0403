// Whether an address is that of somebody outside: not of a network within, and not reserved.
import { type Block, blockOf, covers, type Family } from '../addresses/block.ts';

const blocks = (...texts: readonly string[]): Block[] => texts.map((text) => blockOf(text) as Block);

const within: Readonly<Record<Family, readonly Block[]>> = {
  4: blocks(
    ...['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'],
    ...['0.0.0.0/8', '224.0.0.0/3'],
  ),
  6: blocks('::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8'),
};

export const isOutside = (address: Block | undefined): boolean =>
  address !== undefined && !within[address.family].some((block) => covers(block, address));
