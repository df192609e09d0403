// What entries are called for people. What is not known here is shown as it is kept.
import { type LogType, partsOf } from './entry.ts';

const modules: Readonly<Record<string, string>> = {
  backup: 'Database backups',
  brute_force: 'Wrong sign-ins',
  core: 'Security suite',
  file_change: 'File changes',
  fingerprinting: 'Trusted devices',
  firewall: 'Firewall',
  ipcheck: 'Network of shared bans',
  lockout: 'Lockouts',
  notification_center: 'Notifications',
  password_requirements: 'What passwords have to be',
  recaptcha: 'Captcha',
  scheduler: 'Scheduled work',
  'security-check-pro': 'Detection of addresses',
  'site-scanner': 'Site scans',
  two_factor: 'Second factor',
  user_logging: 'What users do',
  version_management: 'Versions',
  webauthn: 'Passkeys',
};

/** By which the suite logs, in the order of the alphabet. */
export const loggedModules: readonly string[] = Object.keys(modules);

type Told = string | ((...data: string[]) => string);

const list = (data: readonly string[]): string => data.filter((part) => part !== '').join(', ');
const about =
  (what: string): Told =>
  (...data) =>
    list(data) === '' ? what : `${what}: ${list(data)}`;
const ofUser =
  (what: string): Told =>
  (user) =>
    user === undefined ? what : `${what}: user ${user}`;
const byRule =
  (what: string): Told =>
  (rule) =>
    rule === undefined ? what : `${what} by rule ${rule}`;

const wrongSignIn: Told = (...whose) => {
  const [, kind, who] = /^(user|username)-(.*)$/s.exec(whose.join(',')) ?? [];
  if (kind === undefined) return 'Wrong sign-in';
  return kind === 'user' ? `Wrong sign-in of user ${who}` : `Wrong sign-in as "${who}"`;
};

const statusChanged: Told = (user, post, before, after) =>
  `User ${user} moved record ${post} from ${before} to ${after}`;

const signedIn: Told = (user, how, provider) =>
  how === undefined ? `User ${user} signed in` : `User ${user} signed in with a second factor (${provider ?? how})`;

const registered: Told = (user, how) =>
  how === 'admin' ? `User ${user} was added by an administrator` : `User ${user} registered`;

const codes: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  backup: {
    'file-stored': 'The backup is stored',
    'email-succeeded': 'The backup was mailed',
    'email-succeeded-file-stored': 'The backup is stored, and was mailed',
    'email-failed-file-stored': 'The backup is stored, but could not be mailed',
    'email-failed': 'The backup could not be mailed',
  },
  brute_force: {
    'invalid-login': wrongSignIn,
    'auto-ban-admin-username': 'Somebody tried to sign in as "admin"',
  },
  core: {
    'enabled-encryption': 'Secrets are kept encrypted',
    'try-enable-encryption': 'Secrets are about to be kept encrypted',
    'enable-encryption-failed': 'Secrets could not be encrypted',
    'entries-left-out': (many) => `${many ?? 'Some'} entries came faster than they could be kept, and were left out`,
  },
  file_change: {
    scan: 'Files are compared',
    'changes-found': about('Files have changed'),
    'no-changes-found': 'No file has changed',
    'file-scan-aborted': 'The comparison of files was broken off',
  },
  fingerprinting: {
    created: 'A device was seen for the first time',
    comparison: 'A device was compared with those known',
    status: about('The standing of a device changed'),
    session_destroyed: 'A session of an unknown device was ended',
    session_switched_known: 'A session went over to a known device',
    session_switched_unknown: 'A session went over to an unknown device',
    denied_fingerprint_blocked: 'A refused device was kept out',
  },
  firewall: {
    BLOCK: byRule('Request refused'),
    LOG: byRule('Request noticed'),
    REDIRECT: byRule('Request sent elsewhere'),
    WHITELIST: byRule('Request let through'),
    'over-budget': 'A request cost the rules too much work, and was refused',
    'rule-failed': (rule) => `Rule ${rule} failed`,
    'rule-left-out': (rule) => `Rule ${rule} cannot be run, and is left out`,
  },
  ipcheck: {
    'ip-blocked': 'An address known for attacks was kept out',
    'failed-login-by-blocked-ip': 'Wrong sign-in from an address known for attacks',
    'successful-login-by-blocked-ip': 'Somebody signed in from an address known for attacks',
  },
  lockout: {
    'host-lockout': (address) => `${address ?? 'An address'} is locked out`,
    'user-lockout': (user) => (user === undefined ? 'A user is locked out' : `User ${user} is locked out`),
    'username-lockout': (...name) =>
      name.length === 0 ? 'A user name is locked out' : `"${name.join(',')}" is locked out`,
    'host-triggered-blacklist': 'An address was locked out so often that it is banned',
    'whitelisted-host-triggered-blacklist': 'An authorised address would have been banned',
    'whitelisted-host-triggered-host-lockout': 'An authorised address would have been locked out',
    'whitelisted-host-triggered-user-lockout': 'A user at an authorised address would have been locked out',
    'whitelisted-host-triggered-username-lockout': 'A user name at an authorised address would have been locked out',
    authorised: about('Let in for a while, from the machine'),
    released: about('Let in again, from the machine'),
    'released-all': 'Everybody who was locked out is let in again, from the machine',
  },
  notification_center: {
    send: about('Notification sent'),
    send_failed: about('Notification not sent'),
    send_scheduled: 'Scheduled notifications sent',
  },
  password_requirements: {
    'breached-not-asked': 'Nobody could be asked for leaked passwords',
    'new-password-asked': (_, user) => `User ${user} has to choose a new password`,
  },
  recaptcha: {
    'failed-validation': 'The captcha was not solved',
    'validate-response': 'A captcha was judged',
    'not-judged': 'A captcha could not be judged, and who sent it was let pass',
  },
  scheduler: {
    'unhandled-exception': about('Scheduled work failed'),
    'unexpected-failure': about('Scheduled work did not do what it should'),
  },
  'security-check-pro': { 'start-scan': 'How addresses of visitors arrive is detected' },
  'site-scanner': { scan: 'The site is scanned' },
  two_factor: {
    successful_authentication: ofUser('Second factor given'),
    failed_authentication: ofUser('Second factor refused'),
  },
  user_logging: {
    'user-logged-in': signedIn,
    'user-logged-out': (user) => `User ${user} signed out`,
    'user-registered': registered,
    'post-status-changed': statusChanged,
    'plugin-activated': about('Switched on'),
    'plugin-deactivated': about('Switched off'),
    'plugin-deleted': about('Removed'),
    'theme-switched': about('Theme changed'),
  },
  version_management: {
    update: about('Updated'),
    install: about('Installed'),
    'auto-update': about('Updated by itself'),
    'update-core': about('The site itself was updated'),
  },
  webauthn: {
    'registration-ceremony-failed': 'A passkey could not be registered',
    'authentication-ceremony-failed': 'A sign-in with a passkey failed',
    'hash-conflict': 'Two passkeys have the same mark',
    'credential-repository': about('Passkeys could not be kept'),
    'user-entity': about('The user of a passkey could not be found'),
  },
};

const typeNames: Readonly<Record<LogType, string>> = {
  'critical-issue': 'Critical issue',
  action: 'Action',
  fatal: 'Fatal error',
  error: 'Error',
  warning: 'Warning',
  notice: 'Notice',
  debug: 'Debug',
  'process-start': 'Process',
  'process-update': 'Process, continued',
  'process-stop': 'Process, ended',
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export const moduleName = (module: string): string => own(modules, module) ?? module;
export const typeName = (type: string): string => own(typeNames, type) ?? type;

export function codeName(module: string, whole: string): string {
  const { code, data } = partsOf(whole);
  const told = own(own(codes, module) ?? {}, code);
  return typeof told === 'function' ? told(...data) : (told ?? whole);
}
