// What the commands of the security suite share: how it is reached, and which address is meant.
import { printable } from '#lib/printable.ts';
import { addressOf, type Block, blockOf, isRange } from '../../extensions/secsuite/addresses/block.ts';
import { secsuite } from '../../extensions/secsuite/extension.ts';
import type { Suite } from '../../extensions/secsuite/parts.ts';
import { type Ask, given, type Word, WrongUse } from '../command.ts';
import { inSite } from '../opened.ts';

export const addressWord: Word = { name: 'ADDRESS', meaning: 'One address: 198.51.100.7 or 2001:db8::7' };

export function addressIn({ words }: Ask): Block {
  const text = given(words, addressWord.name);
  const address = addressOf(text);
  if (address !== undefined) return address;
  const range = blockOf(text);
  const isMany = range !== undefined && isRange(range);
  throw new WrongUse(
    isMany ? `${text} is a range; give one address.` : `${printable(text).slice(0, 64)} is no address.`,
  );
}

/** Once the suite knows whom it keeps out. */
export const inSuite = (ask: Ask, work: (suite: Suite, now: Date) => Promise<void>): Promise<number> =>
  inSite(ask, async ({ clock }, _, nounsOf) => {
    const suite = nounsOf(secsuite);
    await suite.ready;
    await work(suite, clock());
  });

/** What is done from the machine stands in the security log as well. */
export const noted = ({ logs }: Suite, code: string, data: object): void =>
  logs.write({ module: 'lockout', code, type: 'action', data: { actor: 'command line', ...data } });

export const counted = (many: number, one: string, more = `${one}s`): string =>
  many === 1 ? `one ${one}` : `${many.toLocaleString('en')} ${more}`;
