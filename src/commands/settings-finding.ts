// What doctor looks at among the settings: what is stored, and whom the site tells. Nothing is changed.
import { randomBytes } from 'node:crypto';
import { storedKeys } from '#site/keys.ts';
import { createSeal } from '#site/seal.ts';
import { keptOf, rowsOf, unfitSettings } from '#site/settings/kept.ts';
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

/** Who has no address hears nothing, and nothing says so. */
export async function siteEmail(store: AnyStore, config: Config): Promise<Finding> {
  const what = 'Site email';
  const { email } = await valuesOf(store, config, 'site');
  if (email !== '') return ok(what, 'is set');
  const { moderation_notify } = await valuesOf(store, config, 'discussion');
  if (moderation_notify !== true) return ok(what, 'is not set, and nothing is to be told to it');
  return note(
    what,
    'is not set, so nobody is told of comments that wait',
    'Run "gatehouse settings set site email ADDRESS".',
  );
}

/** Neither of these groups has anything sealed. */
async function valuesOf(store: AnyStore, config: Config, name: 'site' | 'discussion') {
  const { groupsAt } = await import('../opening.ts');
  const group = groupsAt(config).find((one) => one.name === name);
  if (group === undefined) return {};
  const seal = createSeal(randomBytes(32));
  return keptOf(group, seal, { warn: () => {} }).values(await rowsOf(store.db, name));
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
