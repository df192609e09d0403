// What each module of the security suite does, as it is seen from outside. Where more is to be seen than a question over HTTP tells, or
// nothing can be switched, the test file is named that shows it.
import type { Answer } from './site.ts';

export const base = '/api/secsuite/v1';
const rpc = '/api/secsuite/rpc';

/** What the other process is asked, and how it answers with the module and without it. */
export interface Effect {
  /** Settings of modules, by which it has something to do. */
  readonly given?: Readonly<Record<string, object>>;
  /** Of a module that is always on: the settings that say that it does it, and those that it does not. */
  readonly set?: readonly [module: string, on: object, off: object];
  readonly see: (other: Other) => Promise<unknown>;
  readonly on: unknown;
  readonly off: unknown;
}

interface Line {
  readonly effect?: Effect;
  /** Test files of the suite that show more of it, or what cannot be seen by a question. */
  readonly shown?: readonly string[];
  /** Why there is nothing to see. */
  readonly none?: 'it does nothing by itself' | 'its work comes later' | 'there is nothing of the kind here';
}

/** Each time as somebody else, who is not always let in. */
export interface Other {
  readonly admin: Asker;
  readonly group: string;
  status(path: string, headers?: Record<string, string>): Promise<number>;
  as(role: string): Asker;
}

export interface Asker {
  get(path: string): Promise<Said>;
  post(path: string, body?: object): Promise<Said>;
}

export type Said = Omit<Answer, 'headers'>;

const code = ({ status, body }: { status: number; body: { code?: string } }) => body?.code ?? status;
const notified = (slug: string, see = `${rpc}/notification-center/notifications`): Effect => ({
  see: async ({ admin }) => slug in (await admin.get(see)).body,
  on: true,
  off: false,
});
const listed = (module: string): Effect => ({
  see: async ({ admin, group }) => module in (await admin.get(`${base}/user-matchable-settings/${group}`)).body,
  on: true,
  off: false,
});
const runs = (module: string): Effect => ({
  see: async ({ admin }) => module in (await admin.get(`${base}/settings?modules=:active`)).body,
  on: true,
  off: false,
});
/** Of the firewall. */
export const rule = { type: 'BLOCK', rules: [{ parameter: 'get.attack', match: { type: 'isset' } }] };
const rules = async (admin: Other['admin']) => (await admin.get(`${rpc}/file-writing/get-config-rules`)).body.server;
const odd = { 'ban-users': { agent_list: ['Odd'] } };
const keys = { site_key: 'a', secret_key: 'b', login: true, gdpr: false, on_page_opt_in: true };
const hidden = {
  slug: 'way-in',
  register: 'register',
  theme_compat: true,
  theme_compat_slug: 'no',
  post_logout_slug: '',
};

let strangers = 0;

export const effects: Readonly<Record<string, Line>> = {
  'feature-flags': { none: 'there is nothing of the kind here' },
  'user-groups': { shown: ['groups/groups.test.ts'] },
  global: {
    effect: {
      given: odd,
      set: ['global', { lockout_white_list: ['203.0.113.0/24'] }, { lockout_white_list: [] }],
      see: ({ status }) => status('/', { 'user-agent': 'Odd/1' }),
      on: 200,
      off: 403,
    },
  },
  'notification-center': { shown: ['notifications/sending.test.ts'] },
  privacy: { none: 'it does nothing by itself' },
  dashboard: {
    effect: {
      set: ['dashboard', { group: ['the group'] }, { group: [] }],
      see: async ({ as }) => (await as('editor').get(`${base}/actors`)).status,
      on: 200,
      off: 403,
    },
  },
  'admin-user': { shown: ['parts/admin-user/accounts.test.ts'] },
  'ban-users': {
    effect: {
      given: odd,
      see: async ({ status, admin }) => [
        await status('/', { 'user-agent': 'Odd/1' }),
        code(await admin.post(`${base}/bans/database`, {})),
        code(await admin.post(`${rpc}/ban-users/add-many`, {})),
      ],
      on: [403, 'rest_missing_callback_param', 'rest_missing_callback_param'],
      off: [200, 'rest_no_route', 'rest_no_route'],
    },
    shown: ['bans/enforced.test.ts'],
  },
  'database-prefix': { none: 'there is nothing of the kind here' },
  core: { shown: ['tools/tools.test.ts'] },
  'email-confirmation': { none: 'it does nothing by itself' },
  'file-change': {
    effect: { ...notified('file-change'), given: { 'file-change': { file_list: ['program'] } } },
    shown: ['parts/file-change/file-change.test.ts'],
  },
  'file-permissions': { shown: ['tools/tools.test.ts'] },
  'file-writing': {
    effect: {
      set: ['global', { write_files: true }, { write_files: false }],
      see: async ({ admin }) => (await admin.post(`${base}/tools/server-config-rules`)).status,
      on: 204,
      off: 400,
    },
    shown: ['parts/config-rules/upkeep.test.ts'],
  },
  firewall: {
    effect: {
      see: async ({ status, admin }) => [
        await status('/?attack=1'),
        (await admin.get(`${base}/firewall/rules`)).status,
      ],
      on: [403, 200],
      off: [200, 404],
    },
    shown: ['parts/firewall/passes.test.ts'],
  },
  'brute-force': {
    effect: {
      given: { 'brute-force': { max_attempts_host: 1 } },
      see: async ({ status }) => {
        const from = { 'x-forwarded-for': `198.51.100.${++strangers % 256}` };
        const authorization = `Basic ${Buffer.from(`stranger${strangers}:wrong`).toString('base64')}`;
        return status('/api/core/v2/users/me', { ...from, authorization });
      },
      on: 403,
      off: 401,
    },
    shown: ['lockouts/counting.test.ts'],
  },
  'network-brute-force': {
    effect: runs('network-brute-force'),
    shown: ['parts/network/network.test.ts'],
  },
  'password-requirements': {
    shown: ['parts/passwords/rules.test.ts'],
  },
  ssl: {
    effect: { see: ({ status }) => status('/', { 'x-forwarded-proto': 'http' }), on: 302, off: 200 },
  },
  backup: {
    effect: notified('backup'),
    shown: ['parts/backup/backups.test.ts'],
  },
  'two-factor': { effect: listed('two-factor'), shown: ['parts/two-factor/two-factor.test.ts'] },
  'strong-passwords': {
    effect: {
      set: [
        'password-requirements',
        { requirement_settings: { strength: { group: ['the group'] } } },
        { requirement_settings: { strength: { group: [] } } },
      ],
      see: async ({ admin }) => {
        const username = `somebody${++strangers}`;
        const user = { username, email: `${username}@site.test`, password: 'password4321', roles: ['editor'] };
        return (await admin.post('/api/core/v2/users', user)).status;
      },
      on: 400,
      off: 201,
    },
    shown: ['parts/passwords/rules.test.ts'],
  },
  hibp: {
    shown: ['parts/passwords/rules.test.ts'],
  },
  'system-tweaks': {
    effect: {
      set: ['system-tweaks', { directory_browsing: true }, { directory_browsing: false }],
      see: async ({ admin }) => /autoindex off/.test(await rules(admin)),
      on: true,
      off: false,
    },
  },
  'core-salts': { shown: ['tools/tools.test.ts'] },
  'core-tweaks': {
    effect: {
      set: ['core-tweaks', { rest_api: 'restrict-access' }, { rest_api: 'default-access' }],
      see: ({ status }) => status('/api/core/v2/posts'),
      on: 401,
      off: 200,
    },
    shown: ['parts/tweaks/tweaks.test.ts'],
  },
  'security-check-pro': { shown: ['tools/tools.test.ts'] },
  'site-scanner': { shown: ['parts/site-scanner/site-scanner.test.ts'] },
  'malware-scheduling': {
    effect: notified('malware-scheduling'),
    shown: ['parts/site-scanner/site-scanner.test.ts'],
  },
  'hide-backend': {
    effect: {
      set: ['hide-backend', { enabled: true, ...hidden }, { enabled: false }],
      see: async ({ status }) => [await status('/login'), await status('/way-in')],
      on: [302, 200],
      off: [200, 404],
    },
    shown: ['parts/hide-backend/hide-backend.test.ts'],
  },
  'dashboard-widget': { none: 'it does nothing by itself' },
  'magic-links': {
    effect: notified('magic-link-login-page'),
    shown: ['lockouts/unlock.test.ts'],
  },
  'online-files': { none: 'it does nothing by itself' },
  'passwordless-login': {
    effect: {
      see: async ({ admin }) => /Sign in with a passkey/.test((await admin.get('/login?reauth=1')).text),
      on: true,
      off: false,
    },
    shown: ['parts/webauthn/webauthn.test.ts', 'parts/passwordless-login/passwordless-login.test.ts'],
  },
  'password-expiration': {
    shown: ['parts/passwords/rules.test.ts'],
  },
  privilege: {
    effect: {
      see: async ({ admin }) =>
        (await admin.post(`${rpc}/privilege/escalate`, { id: 0, role: 'editor', days: 1 })).status,
      on: 400,
      off: 404,
    },
    shown: ['parts/privilege/privilege.test.ts'],
  },
  recaptcha: {
    effect: {
      given: { recaptcha: keys },
      see: async ({ admin }) => /captcha/.test((await admin.get('/login')).text),
      on: true,
      off: false,
    },
    shown: ['parts/captcha/captcha.test.ts'],
  },
  'import-export': { none: 'its work comes later' },
  'user-logging': {
    effect: listed('user-logging'),
    shown: ['parts/activity/activity.test.ts'],
  },
  'user-security-check': { shown: ['accounts/accounts.test.ts'] },
  'version-management': {
    effect: runs('version-management'),
    shown: ['parts/version-management/version-management.test.ts'],
  },
  fingerprinting: {
    effect: listed('fingerprinting'),
    shown: ['parts/fingerprinting/fingerprinting.test.ts'],
  },
  geolocation: {
    effect: { see: async ({ admin }) => (await admin.get(`${base}/geolocate/8.8.8.8`)).status, on: 200, off: 404 },
    shown: ['parts/geolocation/geolocation.test.ts'],
  },
  webauthn: {
    effect: {
      see: async ({ status, admin }) => [
        (await admin.get(`${base}/webauthn/credentials`)).status,
        await status('/account/passkeys'),
      ],
      on: [200, 302],
      off: [404, 404],
    },
    shown: ['parts/webauthn/webauthn.test.ts', 'parts/webauthn/refusals.test.ts'],
  },
  'pro-two-factor': { none: 'it does nothing by itself' },
};
