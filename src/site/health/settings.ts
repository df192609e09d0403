// What is stored among the settings, and whom the site tells. Nothing is changed.
import { randomBytes } from 'node:crypto';
import { StoreProblem } from '#store/problem.ts';
import { secretOf, storedKeys } from '../platform/keys.ts';
import { createSeal } from '../platform/seal.ts';
import { keptOf, rowsOf, unfitSettings } from '../platform/settings/kept.ts';
import { note, ok, type Seen, warning } from './check.ts';
import type { Stored } from './installation.ts';

/** After a change of the program or of the deployment, a default may count where people set something else. */
export async function settings({ store, groups, installation }: Stored): Promise<Seen> {
  const key = await sealedBy(store, installation);
  if (key === undefined) return note('not checked, because the keys cannot be decrypted');
  const unfit = await unfitSettings(store.db, groups, createSeal(key));
  if (unfit.length === 0) return ok('all stored values are valid');
  const [first, ...more] = unfit;
  const them = more.length === 0 ? first : `${first} and ${more.length} more`;
  return warning(
    `the stored value of ${them} is not valid, so the site uses the default`,
    `Run "gatehouse settings set ${first?.replace('.', ' ')} VALUE", or "gatehouse settings reset" with the same group and name.`,
  );
}

/** Who has no address hears nothing, and nothing says so. */
export async function siteEmail(stored: Stored): Promise<Seen> {
  const { email } = await valuesOf(stored, 'site');
  if (email !== '') return ok('is set');
  const { moderation_notify } = await valuesOf(stored, 'discussion');
  if (moderation_notify !== true) return ok('is not set; the notices that need it are turned off');
  return note(
    'is not set, so the site sends no emails about waiting comments',
    'Run "gatehouse settings set site email ADDRESS".',
  );
}

/** Neither of these groups has anything sealed. */
async function valuesOf({ store, groups }: Stored, name: 'site' | 'discussion') {
  const group = groups.find((one) => one.name === name);
  if (group === undefined) return {};
  const seal = createSeal(randomBytes(32));
  return keptOf(group, seal, { warn: () => {} }).values(await rowsOf(store.db, name));
}

/** A key that is missing is made anew at the next start: what the old one sealed is lost, and any other shows it. */
async function sealedBy(store: Stored['store'], installation: Stored['installation']): Promise<Buffer | undefined> {
  const secret = secretOf(installation);
  if (secret === undefined) return undefined;
  try {
    return (await storedKeys(store, secret)).encryption ?? randomBytes(32);
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    return undefined;
  }
}
