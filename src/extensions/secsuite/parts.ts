// All parts of the suite, and what they say together. A new capability is a folder with a `part.ts`, and a line here.
import { joined, type NamedBy } from '#lib/objects.ts';
import { bansPart } from './bans/part.ts';
import { groupsPart } from './groups/part.ts';
import { lockoutsPart } from './lockouts/part.ts';
import { createLogNames } from './logs/named.ts';
import { logsPart } from './logs/part.ts';
import type { Module, SitePaths } from './module.ts';
import { noticesPart } from './notices/part.ts';
import { notificationsPart } from './notifications/part.ts';
import type { FoldedFacts, Part, PartUse, SuiteServices } from './part.ts';
import { activityPart } from './parts/activity/part.ts';
import { actorsPart } from './parts/actors/part.ts';
import { adminUserPart } from './parts/admin-user/part.ts';
import { agentsPart } from './parts/agents/part.ts';
import { backupPart } from './parts/backup/part.ts';
import { captchaPart } from './parts/captcha/part.ts';
import { configRulesPart } from './parts/config-rules/part.ts';
import { corePart } from './parts/core/part.ts';
import { coreSaltsPart } from './parts/core-salts/part.ts';
import { dashboardPart } from './parts/dashboard/part.ts';
import { discoverPart } from './parts/discover/part.ts';
import { fileChangePart } from './parts/file-change/part.ts';
import { filePermissionsPart } from './parts/file-permissions/part.ts';
import { fingerprintingPart } from './parts/fingerprinting/part.ts';
import { firewallPart } from './parts/firewall/part.ts';
import { geolocationPart } from './parts/geolocation/part.ts';
import { globalPart } from './parts/global/part.ts';
import { hideBackendPart } from './parts/hide-backend/part.ts';
import { importExportPart } from './parts/import-export/part.ts';
import { inertPart } from './parts/inert/part.ts';
import { networkPart } from './parts/network/part.ts';
import { passwordlessLoginPart } from './parts/passwordless-login/part.ts';
import { passwordsPart } from './parts/passwords/part.ts';
import { siteScannerPart } from './parts/site-scanner/part.ts';
import { siteTypesPart } from './parts/site-types/part.ts';
import { tweaksPart } from './parts/tweaks/part.ts';
import { twoFactorPart } from './parts/two-factor/part.ts';
import { userActionsPart } from './parts/user-actions/part.ts';
import { userSecurityCheckPart } from './parts/user-security-check/part.ts';
import { versionManagementPart } from './parts/version-management/part.ts';
import { webauthnPart } from './parts/webauthn/part.ts';
import { inListOrder } from './settings/module-order.ts';
import { settingsPart } from './settings/part.ts';
import type { Shared } from './shared.ts';
import { switchesPart } from './switches/part.ts';
import { toolsPart } from './tools/part.ts';

/** Routes are listed, and guards and checks are asked, in this order. */
const parts = [
  bansPart,
  globalPart,
  switchesPart,
  settingsPart,
  siteTypesPart,
  notificationsPart,
  toolsPart,
  userActionsPart,
  logsPart,
  geolocationPart,
  lockoutsPart,
  noticesPart,
  actorsPart,
  dashboardPart,
  agentsPart,
  firewallPart,
  configRulesPart,
  discoverPart,
  groupsPart,
  captchaPart,
  tweaksPart,
  hideBackendPart,
  corePart,
  networkPart,
  passwordsPart,
  backupPart,
  fileChangePart,
  activityPart,
  adminUserPart,
  coreSaltsPart,
  filePermissionsPart,
  fingerprintingPart,
  importExportPart,
  inertPart,
  passwordlessLoginPart,
  siteScannerPart,
  twoFactorPart,
  userSecurityCheckPart,
  versionManagementPart,
  webauthnPart,
] as const;

type NounOf<P> = P extends Part<infer Noun> ? Noun : never;
type All<Nouns> = (Nouns extends unknown ? (noun: Nouns) => void : never) extends (all: infer A) => void ? A : never;

/** The shared nouns, and those of all parts. */
export type Nouns = Shared & All<NounOf<(typeof parts)[number]>>;

export interface Suite extends Nouns {
  /** Resolves when everything that guards read from memory is read. */
  readonly ready: Promise<void>;
}

export const allParts: readonly PartUse<Nouns>[] = parts;

/** What all parts list. */
export const every = <T>(read: (one: PartUse<Nouns>) => readonly T[] | undefined): T[] =>
  allParts.flatMap((one) => read(one) ?? []);

/** What all parts name. */
export const merged = <T>(
  read: (one: PartUse<Nouns>) => Readonly<Record<string, T>> | undefined,
): Readonly<Record<string, T>> =>
  Object.fromEntries(joinedByName(allParts.map((one) => [one.name, Object.entries(read(one) ?? {})])));

/** Joins what parts name. */
export const joinedByName = <T>(named: NamedBy<T>): Map<string, T> =>
  joined(named, (name, part, other) =>
    part === other
      ? new Error(`The part "${part}" declares "${name}" twice.`)
      : new Error(`The parts "${other}" and "${part}" both declare "${name}".`),
  );

/** The modules, in the order in which clients list them. */
export const modulesOn = (paths: SitePaths): readonly Module[] =>
  inListOrder([
    ...joinedByName(
      allParts.map(({ name, modules = [] }) => [
        name,
        modules.map((one) => (typeof one === 'function' ? one(paths) : one)).map((module) => [module.id, module]),
      ]),
    ).values(),
  ]);

export const folded: FoldedFacts = {
  users: merged(({ tables }) => tables?.users),
  leftOut: merged(({ tables }) => tables?.leftOut),
  logNames: createLogNames(merged((one) => one.logged)),
  highlights: Object.fromEntries(Object.entries(merged((one) => one.highlights)).sort()),
};

const makers: readonly Pick<Part<object>, 'name' | 'make'>[] = parts;

/** The compiler cannot follow a fold that adds members; `Nouns` is read off the same list, so the two agree. */
export const makeNouns = (services: SuiteServices, shared: Shared): Nouns =>
  Object.fromEntries(
    joinedByName<unknown>([
      ['shared', Object.entries(shared)],
      ...makers.map(({ name, make }) => [name, Object.entries(make?.(services, shared, folded) ?? {})] as const),
    ]),
  ) as Nouns;
