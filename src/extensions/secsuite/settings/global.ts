// What holds for the settings that all modules share.

import { isDeepStrictEqual } from 'node:util';
import { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { blockOf, written } from '../addresses/block.ts';
import type { Saving, Settings } from './types.ts';

interface Global {
  readonly manage_group: readonly string[];
  readonly lockout_white_list: readonly string[];
}

/** Whether the caller would still manage the suite, were it these groups that do. */
export type WouldManage = (groups: readonly string[], caller: Asker, db: Saving['db']) => boolean | Promise<boolean>;

export function guardGlobal(settings: Pick<Settings, 'check' | 'along'>, wouldManage: WouldManage): void {
  settings.check('global', async ({ before, after, behalf, db }) => {
    const [{ manage_group: was }, { manage_group: groups }] = [before as unknown as Global, after as unknown as Global];
    const isSame = isDeepStrictEqual(new Set(was), new Set(groups));
    return isSame || (await wouldManage(groups, behalf.caller, db)) ? [] : [excluded()];
  });
  settings.check('global', ({ after }) => {
    const { lockout_white_list: list } = after as unknown as Global;
    const wrong = list.filter((text) => blockOf(text.trim()) === undefined);
    return wrong.length === 0 ? [] : [noAddresses(wrong)];
  });
  settings.along('global', (_, after) => ({
    lockout_white_list: normalised((after as unknown as Global).lockout_white_list),
  }));
}

/** Each address once, written in the one way. */
const normalised = (list: readonly string[]): string[] => [
  ...new Set(list.flatMap((text) => blockOf(text.trim()) ?? []).map(written)),
];

const excluded = (): Problem =>
  new Problem(
    400,
    'secsuite-validator-global-cannot-exclude-self',
    'You would not manage the security suite any more. Please name a group that you are in.',
  );

/** So many are listed. */
const most = 20;
const longest = 64;

const noAddresses = (texts: readonly string[]): Problem => {
  const listed = texts.slice(0, most).map((text) => text.slice(0, longest));
  return new Problem(
    400,
    'secsuite-validator-global-invalid-type-lockout_white_list-ip',
    `These are no addresses: ${listed.join(', ')}${texts.length > most ? ' …' : ''}.`,
  );
};
