// What a manager does about a vulnerability: update the extension, turn it off, or mute it.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { asSaid, defineDenial, defineError, Problem } from '#kernel/problem.ts';
import { compareVersions } from '#lib/version-number.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { Extensions } from '#site/packages/packages.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Behalf } from '../../base.ts';
import type { Inventory } from '../../software/inventory.ts';
import type { Issue } from './scan.ts';
import type { Vulnerabilities, Vulnerability } from './vulnerabilities/vulnerabilities.ts';

export const fixDenial = defineDenial('rest_cannot_fix', 'fix issues of this site');

export const fixErrors = {
  cannotFix: fixDenial,
  notFixable: defineError(
    404,
    'secsuite_site_scanner_fixer_not_fixable',
    'No update fixes this issue. Read the details to see what helps.',
  ),
  missingUpdatePermissions: defineError(
    403,
    'secsuite_site_scanner_fixer_missing_update_permissions',
    'Your account cannot update extensions (`update_plugins`).',
  ),
  noUpdate: defineError(409, 'secsuite_updates_no_update', (name: string) => `${name} has no update yet.`),
  incompatibleRuntime: defineError(409, 'secsuite_updates_incompatible_runtime', asSaid),
  missingPackage: defineError(409, 'secsuite_updates_missing_package', asSaid),
  updateError: defineError(500, 'secsuite_updates_update_error', asSaid),
};

const updateGatehouse = 'Update Gatehouse, which includes Node.js and its packages.';

/** The inventory is asked what is installed, not what is newer. */
const dayLong = 24 * 60 * 60 * 1_000;

/** How errors of the installer are called here. */
const installerCodes: Readonly<Record<string, keyof typeof fixErrors>> = {
  requirements_not_met: 'incompatibleRuntime',
  extension_is_needed: 'incompatibleRuntime',
  extension_needs_another: 'incompatibleRuntime',
  plugin_not_found: 'missingPackage',
  download_failed: 'missingPackage',
  integrity_failed: 'missingPackage',
  invalid_package: 'missingPackage',
};

interface FixDeps {
  readonly extensions: Pick<Extensions, 'newer' | 'update' | 'deactivate' | 'list'>;
  readonly doing: DoingFor;
  readonly users: { find(id: number): Promise<{ readonly name: string } | undefined> };
  readonly vulnerabilities: Vulnerabilities;
  readonly inventory: Inventory;
  readonly clock: Clock;
}

export type Fixes = ReturnType<typeof createFixes>;

export function createFixes({ extensions, doing, users, vulnerabilities, inventory, clock }: FixDeps) {
  const by = (caller: Caller, capability: string) =>
    doing(credentialOf(caller), (asker) => {
      if (!asker.can(capability)) throw kernelErrors.forbidden('manage extensions');
    });
  const fix = async (one: Vulnerability, caller: Caller): Promise<Vulnerability> => {
    const { type, slug, label, details } = one;
    if (type !== 'plugin') throw fixErrors.notFixable().saying(`${label} is not an extension. ${updateGatehouse}`);
    if (details.fixed_in === null) throw fixErrors.notFixable();
    if (!caller.can('update_plugins')) throw fixErrors.missingUpdatePermissions();
    const next = (await extensions.newer(0)).versions.get(slug);
    if (next === undefined || compareVersions(next, details.fixed_in) < 0) throw fixErrors.noUpdate(label);
    const doer = by(caller, 'update_plugins');
    const card = await extensions.update(slug, doer).catch((error) => {
      if (!(error instanceof Problem)) throw fixErrors.updateError(`${label} could not be updated.`).because(error);
      const named = installerCodes[error.code] ?? 'updateError';
      throw (fixErrors[named] as (text: string) => Problem)(error.message).because(error);
    });
    await vulnerabilities.extensionChanged(slug, 'updated', doer.by || null, card.version);
    return vulnerabilities.get(one.id);
  };
  return {
    fix,

    /** Of a scan; only vulnerabilities can be fixed. */
    async fixIssue({ entry, id }: Issue, caller: Caller): Promise<void> {
      if (entry !== 'vulnerabilities') throw fixErrors.notFixable();
      await fix(await vulnerabilities.get(id), caller);
    },

    unmute: async (id: string, behalf: Behalf) => vulnerabilities.unmute(id, await inventory.list(dayLong), behalf),

    /** What records show besides what is stored of them. */
    async factsOf(all: readonly Vulnerability[]) {
      const ids = new Set(all.flatMap(({ resolved_by }) => resolved_by ?? []));
      const [cards, named] = await Promise.all([
        extensions.list(),
        Promise.all([...ids].map(async (id) => [id, (await users.find(id))?.name ?? ''] as const)),
      ]);
      return {
        now: clock().getTime(),
        names: new Map(named),
        active: new Set(cards.filter(({ active }) => active).map(({ slug }) => slug)),
      };
    },

    /** By slug: the newest versions that can be installed, if the catalogue answered within the last hour. */
    updates: async (age: number): Promise<ReadonlyMap<string, string>> => (await extensions.newer(age)).versions,

    async deactivate({ id, type, slug, label }: Vulnerability, caller: Caller): Promise<Vulnerability> {
      const denial = kernelErrors.forbidden('turn off extensions');
      if (type !== 'plugin')
        throw denial.saying(`${label} is not an extension, so it cannot be turned off. ${updateGatehouse}`);
      if (!caller.can('activate_plugins')) throw denial;
      const doer = by(caller, 'activate_plugins');
      await extensions.deactivate(slug, doer);
      await vulnerabilities.extensionChanged(slug, 'deactivated', doer.by || null, undefined);
      return vulnerabilities.get(id);
    },
  };
}

/** Whether an update that fixes it can be installed. */
export const isFixable = (
  { type, slug, details }: Pick<Vulnerability, 'type' | 'slug' | 'details'>,
  updates: ReadonlyMap<string, string>,
): boolean => {
  const next = updates.get(slug);
  return (
    type === 'plugin' && details.fixed_in !== null && next !== undefined && compareVersions(next, details.fixed_in) >= 0
  );
};
