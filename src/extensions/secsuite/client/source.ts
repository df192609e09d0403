// Where the address of a client is looked for.

/** A header, and which of the addresses in it: so many from its end. Without a place, the last that will do. */
import { type Block, blockOf, covers, type Family } from '../addresses/block.ts';

/** Whether an address is that of somebody outside: not of a network within, and not reserved. */
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

export interface Place {
  readonly name: string;
  readonly position?: number;
}

/** Where the address is looked for: in a header, where the house looks, or at the other end of the connection alone. */
export type Source = Place | 'house' | 'peer';
