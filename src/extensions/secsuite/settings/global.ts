// What holds for the settings that all modules share.

import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { blockOf, written } from '../addresses/block.ts';
import { suiteErrors } from '../errors.ts';
import type { Saving, Settings } from './types.ts';

/** Whether the caller would still manage the suite, were it these groups that do. */
export type WouldManage = (groups: readonly string[], caller: Asker, db: Saving['db']) => boolean | Promise<boolean>;

export function guardGlobal(settings: Pick<Settings, 'check' | 'along'>, wouldManage: WouldManage): void {
  settings.check('global', async ({ before, after, behalf, db }) => {
    const groups = after.manage_group;
    const isSame = isDeepStrictEqual(new Set(before.manage_group), new Set(groups));
    const would = behalf.wouldManage?.bind(behalf) ?? ((all) => wouldManage(all, behalf.caller, db));
    return isSame || (await would(groups)) ? [] : [suiteErrors.cannotExcludeSelf()];
  });
  settings.check('global', ({ after: { lockout_white_list: list } }) => {
    const wrong = list.filter((text) => blockOf(text.trim()) === undefined);
    return wrong.length === 0 ? [] : [noAddresses(wrong)];
  });
  settings.along('global', (_, after) => ({
    lockout_white_list: normalised(after.lockout_white_list),
  }));
}

/** Each address once, written in the one way. */
const normalised = (list: readonly string[]): string[] => [
  ...new Set(list.flatMap((text) => blockOf(text.trim()) ?? []).map(written)),
];

/** So many are listed. */
const most = 20;
const longest = 64;

const noAddresses = (texts: readonly string[]): Problem => {
  const listed = texts.slice(0, most).map((text) => text.slice(0, longest));
  return suiteErrors.invalidLockoutWhiteList(`${listed.join(', ')}${texts.length > most ? ' …' : ''}`);
};
