// All parts of the suite, and what they say together. A new capability is a folder with a `part.ts`, and a line here.
import type { Services } from '#site/extension.ts';
import { createLogNames, type LoggedModules } from './logs/named.ts';
import type { Module, SitePaths } from './module.ts';
import type { FoldedFacts, Part, PartUse } from './part.ts';
import { activityPart } from './parts/activity/part.ts';
import { actorsPart } from './parts/actors/part.ts';
import { adminUserPart } from './parts/admin-user/part.ts';
import { agentsPart } from './parts/agents/part.ts';
import { backupPart } from './parts/backup/part.ts';
import { bansPart } from './parts/bans/part.ts';
import { captchaPart } from './parts/captcha/part.ts';
import { configRulesPart } from './parts/config-rules/part.ts';
import { corePart } from './parts/core/part.ts';
import { coreSaltsPart } from './parts/core-salts/part.ts';
import { dashboardPart } from './parts/dashboard/part.ts';
import { databasePrefixPart } from './parts/database-prefix/part.ts';
import { discoverPart } from './parts/discover/part.ts';
import { featureFlagsPart } from './parts/feature-flags/part.ts';
import { fileChangePart } from './parts/file-change/part.ts';
import { filePermissionsPart } from './parts/file-permissions/part.ts';
import { fingerprintingPart } from './parts/fingerprinting/part.ts';
import { firewallPart } from './parts/firewall/part.ts';
import { geolocationPart } from './parts/geolocation/part.ts';
import { globalPart } from './parts/global/part.ts';
import { groupsPart } from './parts/groups/part.ts';
import { hideBackendPart } from './parts/hide-backend/part.ts';
import { importExportPart } from './parts/import-export/part.ts';
import { inertPart } from './parts/inert/part.ts';
import { lockoutsPart } from './parts/lockouts/part.ts';
import { logsPart } from './parts/logs/part.ts';
import { malwareSchedulingPart } from './parts/malware-scheduling/part.ts';
import { networkPart } from './parts/network/part.ts';
import { noticesPart } from './parts/notices/part.ts';
import { notificationsPart } from './parts/notifications/part.ts';
import { passwordlessLoginPart } from './parts/passwordless-login/part.ts';
import { passwordsPart } from './parts/passwords/part.ts';
import { privilegePart } from './parts/privilege/part.ts';
import { settingsPart } from './parts/settings/part.ts';
import { siteScannerPart } from './parts/site-scanner/part.ts';
import { siteTypesPart } from './parts/site-types/part.ts';
import { switchesPart } from './parts/switches/part.ts';
import { toolsPart } from './parts/tools/part.ts';
import { tweaksPart } from './parts/tweaks/part.ts';
import { twoFactorPart } from './parts/two-factor/part.ts';
import { userActionsPart } from './parts/user-actions/part.ts';
import { userSecurityCheckPart } from './parts/user-security-check/part.ts';
import { versionManagementPart } from './parts/version-management/part.ts';
import { webauthnPart } from './parts/webauthn/part.ts';
import { inListOrder } from './settings/module-order.ts';
import type { Shared } from './shared.ts';

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
  dashboardPart,
  databasePrefixPart,
  featureFlagsPart,
  fingerprintingPart,
  importExportPart,
  inertPart,
  malwareSchedulingPart,
  passwordlessLoginPart,
  privilegePart,
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

/** The modules, in the order in which clients list them. */
export const modulesOn = (paths: SitePaths): readonly Module[] =>
  inListOrder(
    allParts.flatMap(({ modules = [] }) => modules.map((one) => (typeof one === 'function' ? one(paths) : one))),
  );

const merged = <T>(members: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> =>
  Object.assign({}, ...members);

export const logged: LoggedModules = merged(allParts.map((one) => one.logged));
export const logNames = createLogNames(logged);
export const folded: FoldedFacts = {
  users: merged(allParts.map(({ tables }) => tables?.users)),
  leftOut: merged(allParts.map(({ tables }) => tables?.leftOut)),
};

const makers: readonly Pick<Part<object>, 'make'>[] = parts;

/** The compiler cannot follow a fold that adds members; `Nouns` is read off the same list, so the two agree. */
export const makeNouns = (services: Services, shared: Shared): Nouns =>
  Object.assign({}, shared, ...makers.map(({ make }) => make?.(services, shared, folded)));
