// What doctor looks at among the settings that are stored. Nothing is changed.
import { randomBytes } from 'node:crypto';
import { storedKeys } from '#site/keys.ts';
import { createSeal } from '#site/seal.ts';
import { unfitSettings } from '#site/settings/kept.ts';
import { StoreProblem } from '#store/problem.ts';
import type { AnyStore } from '#store/store.ts';
import type { Config } from '../config.ts';
import { type Finding, note, ok, warning } from './findings.ts';
import { secretOf } from './identity-findings.ts';

const what = 'Settings';

/** After a change of the program or of the deployment, a default may count where people set something else. */
export async function settings(store: AnyStore, config: Config): Promise<Finding> {
  const key = await sealedBy(store, config);
  if (key === undefined) return note(what, 'not looked at, because nothing opens the keys');
  const { groupsAt } = await import('../opening.ts');
  const unfit = await unfitSettings(store.db, groupsAt(config), createSeal(key));
  if (unfit.length === 0) return ok(what, 'all that is stored fits');
  const [first, ...more] = unfit;
  const them = more.length === 0 ? first : `${first} and ${more.length} more`;
  return warning(
    what,
    `what is stored for ${them} does not fit, so the default counts`,
    `Run "gatehouse settings set ${first?.replace('.', ' ')} VALUE", or "gatehouse settings reset" with the same words.`,
  );
}

/** A key that is missing is made anew at the next start: what the old one sealed is lost, and any other shows it. */
async function sealedBy(store: AnyStore, config: Config): Promise<Buffer | undefined> {
  const secret = secretOf(config);
  if (secret === undefined) return undefined;
  try {
    return (await storedKeys(store, secret)).encryption ?? randomBytes(32);
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    return undefined;
  }
}
