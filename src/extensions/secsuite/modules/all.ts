// All modules of the suite, in the order in which they are registered.
import type { Ground, Module } from '../module.ts';
import { adminUser } from './admin-user.ts';
import { backupOn } from './backup.ts';
import { banUsers } from './ban-users.ts';
import { bruteForce } from './brute-force.ts';
import { core } from './core.ts';
import { coreSalts } from './core-salts.ts';
import { coreTweaks } from './core-tweaks.ts';
import { dashboard } from './dashboard.ts';
import { databasePrefix } from './database-prefix.ts';
import { featureFlags } from './feature-flags.ts';
import { fileChange } from './file-change.ts';
import { filePermissions } from './file-permissions.ts';
import { fileWriting } from './file-writing.ts';
import { fingerprinting } from './fingerprinting.ts';
import { firewall } from './firewall.ts';
import { geolocation } from './geolocation.ts';
import { globalOn } from './global.ts';
import { hibp } from './hibp.ts';
import { hideBackend } from './hide-backend.ts';
import { importExport } from './import-export.ts';
import { dashboardWidget, emailConfirmation, onlineFiles, privacy } from './internal.ts';
import { magicLinks } from './magic-links.ts';
import { malwareScheduling } from './malware-scheduling.ts';
import { networkBruteForce } from './network-brute-force.ts';
import { notificationCenter } from './notification-center.ts';
import { passwordExpiration } from './password-expiration.ts';
import { passwordRequirements } from './password-requirements.ts';
import { passwordlessLogin } from './passwordless-login.ts';
import { privilege } from './privilege.ts';
import { recaptcha } from './recaptcha.ts';
import { securityCheckPro } from './security-check-pro.ts';
import { siteScanner } from './site-scanner.ts';
import { ssl } from './ssl.ts';
import { strongPasswords } from './strong-passwords.ts';
import { systemTweaks } from './system-tweaks.ts';
import { proTwoFactor, twoFactor } from './two-factor.ts';
import { userGroups } from './user-groups.ts';
import { userLogging } from './user-logging.ts';
import { userSecurityCheck } from './user-security-check.ts';
import { versionManagement } from './version-management.ts';
import { webauthn } from './webauthn.ts';

export const modulesOn = (ground: Ground): readonly Module[] => [
  featureFlags,
  userGroups,
  globalOn(ground),
  notificationCenter,
  privacy,
  dashboard,
  adminUser,
  banUsers,
  databasePrefix,
  core,
  emailConfirmation,
  fileChange,
  filePermissions,
  fileWriting,
  firewall,
  bruteForce,
  networkBruteForce,
  passwordRequirements,
  ssl,
  backupOn(ground),
  twoFactor,
  strongPasswords,
  hibp,
  systemTweaks,
  coreSalts,
  coreTweaks,
  securityCheckPro,
  siteScanner,
  malwareScheduling,
  hideBackend,
  dashboardWidget,
  magicLinks,
  onlineFiles,
  passwordlessLogin,
  passwordExpiration,
  privilege,
  recaptcha,
  importExport,
  userLogging,
  userSecurityCheck,
  versionManagement,
  fingerprinting,
  geolocation,
  webauthn,
  proTwoFactor,
];
