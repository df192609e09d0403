import { flagNames } from '../../config.ts';
import { type Block, written } from '../../extensions/secsuite/addresses/block.ts';
import type { Ban } from '../../extensions/secsuite/bans/tables.ts';
import type { Suite } from '../../extensions/secsuite/parts.ts';
import type { Ask, Command } from '../command.ts';
import { addressIn, addressWord, counted, inSuite, noted } from './house.ts';

export const command: Command = {
  name: 'secsuite release',
  about: `Ends what keeps an address out: its lockouts, and the ban of just this address. A banned range that it lies in is named,
and stays unless --ranges is given. Locked accounts stay so; "gatehouse doctor --unlock" lets them in as well.`,
  settings: flagNames,
  words: [addressWord],
  options: { ranges: { meaning: 'Lift the bans of ranges that it lies in as well, with all their other addresses' } },
  run: async (ask) => {
    const address = addressIn(ask);
    return inSuite(ask, (suite) => release(suite, address, ask));
  },
};

async function release(suite: Suite, block: Block, { options, out, note }: Ask): Promise<void> {
  const { lockouts, bans } = suite;
  const address = written(block);
  const released = await lockouts.releaseAddress(address);
  const covering = await bans.allCovering(block);
  const lifted = covering.filter(({ type }) => type === 'ip' || options.ranges !== undefined);
  for (const { id } of lifted) await bans.remove(id);
  const left = covering.filter((ban) => !lifted.includes(ban));
  if (released + lifted.length > 0)
    noted(suite, `released::${address}`, { lockouts: released, bans: lifted.map(({ host }) => host) });
  if (released > 0) out(`${address} was released from ${counted(released, 'lockout')}.`);
  for (const ban of lifted) out(`The ban of ${ban.host} was lifted.`);
  if (released + covering.length === 0) out(`${address} is neither locked out nor banned.`);
  for (const ban of left) note(staying(ban));
  if (left.length > 0) note('Add --ranges to lift that as well, with all the other addresses in it.');
}

const staying = ({ host }: Ban): string => `It still lies in ${host}, which is banned.`;
