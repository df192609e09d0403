// Bans of a site, what their routes need of the suite around them, and how much of a ban the caller may see.
import type { Rule } from '#kernel/access.ts';
import { type Stretch, stretch } from '#kernel/answer.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Denial } from '#kernel/problem.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Services } from '#site/extension.ts';
import type { Base, Behalf, BehalfSource } from '../base.ts';
import type { Client } from '../client/client.ts';
import type { Gate } from '../groups/manage.ts';
import type { SettingsAndSwitches } from '../switches/open.ts';
import { type Actor, type Bans, createBans } from './bans.ts';
import { createEnforced } from './enforced.ts';
import type { BanPage } from './listing.ts';
import { actorOf, createLabels, type LabelOf, type ShownBan, shownBan } from './record.ts';
import type { Ban } from './tables.ts';

/** What the handlers use. */
export interface Banning {
  readonly bans: Bans;
  /** By which names these are known now. */
  labels(actors: readonly Actor[]): Promise<LabelOf>;
  /** Whether the site has a list of its own just now. */
  isListed(): boolean;
  /** Whether it can be looked up what an address did. */
  showsActivity(): boolean;
}

/** Who may, as the suite says it, and where its nouns are. */
export interface BanSeams<Use> {
  banning(use: Use): Banning;
  manages(caller: Caller): boolean;
  /** Managers; others are refused with this. */
  managerOr(denial: Denial, phrase?: string): Rule<undefined, Use, object>;
  /** Whoever may see bans; others are refused with `rest_cannot_view`. */
  readonly viewer: Rule<undefined, Use, object>;
  behalf(caller: Caller, use: Use): Behalf;
}

/** The seams of a suite whose nouns are flat: routes of bans and of lockouts share them. */
export const banSeams = <Use extends { readonly banning: Banning; readonly manage: BehalfSource }>({
  manages,
  managerOr,
}: Gate): BanSeams<Use> => ({
  manages,
  managerOr,
  viewer: managerOr(contentErrors.cannotView),
  banning: ({ banning }) => banning,
  behalf: (caller, { manage }) => manage.behalfOf(caller),
});

interface BanDeps extends SettingsAndSwitches {
  readonly base: Base;
  readonly client: Client;
}

export type OpenBans = ReturnType<typeof openBans>;

export function openBans(
  { identity: { users } }: Services,
  { base, settings, switches, running, client: { authorised } }: BanDeps,
) {
  const enforced = createEnforced({ ...base, failed: base.failed('The bans') });
  const bans = createBans({ ...base, enforced, isAuthorised: authorised.isAuthorised });
  const reasons = () => running().flatMap(({ lockouts = [] }) => lockouts);
  const banning: Banning = {
    bans,
    isListed: () => switches.isRunning('ban-users') && settings.of('ban-users').enable_ban_lists,
    labels: createLabels({ users, lockoutLabel: (id) => reasons().find(({ type }) => type === id)?.label ?? id }),
    showsActivity: () => settings.of('global').log_type !== 'file',
  };
  return { enforced, bans, banning };
}

export interface Showing<Use> {
  one(ban: Ban, caller: Caller, use: Use): Promise<ShownBan>;
  /** `links`: what managers may do besides. */
  page(
    page: BanPage,
    ask: { readonly caller: Caller; readonly use: Use },
    links?: Readonly<Record<string, string>>,
  ): Promise<Stretch<ShownBan>>;
}

export function createShowing<Use>({ banning, manages }: BanSeams<Use>): Showing<Use> {
  const shown = async (bans: readonly Ban[], caller: Caller, use: Use): Promise<ShownBan[]> => {
    const { labels, showsActivity } = banning(use);
    const labelOf = await labels(bans.flatMap((one) => actorOf(one) ?? []));
    const seesActivity = manages(caller) && showsActivity();
    return bans.map((one) => shownBan(one, labelOf, seesActivity));
  };
  return {
    one: async (ban, caller, use) => (await shown([ban], caller, use))[0]!,
    page: async ({ bans, next }, { caller, use }, links = {}) =>
      stretch(await shown(bans, caller, use), next, manages(caller) ? links : {}),
  };
}
