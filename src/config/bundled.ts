// What a deployment file may name. An extension that is not here is handed in by whoever reads the configuration.

/** Each bundled extension and the namespaces it serves. */
export const bundled: Readonly<Record<string, readonly string[]>> = {
  'security-suite': ['secsuite/rpc', 'secsuite/v1'],
  embeds: ['oembed/1.0'],
  galleries: ['gallery-ai/v1', 'gallery-background/v1', 'gallery-convert/v1'],
  'media-folders': ['mediafolders/v1', 'mediafolders/public/v1'],
  'image-optimiser': ['imgopt/v1'],
  'hub-connector': ['hub-connector/v1'],
  'test-data': ['datagen/v1'],
  'cross-sell': ['xsell_pcs/v1'],
  'regenerate-thumbnails': ['regenerate-thumbnails/v1'],
};

/** The same, of what has a deployment of its own: a content site does not know of it, and does not list it. */
export const separate: Readonly<Record<string, readonly string[]>> = {
  hub: ['hub/v1'],
};

/** Modules of the security suite by id; `pro-two-factor` is part of `two-factor` and not switched by itself. */
export const modules: readonly string[] = [
  'feature-flags',
  'user-groups',
  'global',
  'notification-center',
  'privacy',
  'dashboard',
  'admin-user',
  'ban-users',
  'database-prefix',
  'core',
  'email-confirmation',
  'file-change',
  'file-permissions',
  'file-writing',
  'firewall',
  'brute-force',
  'network-brute-force',
  'password-requirements',
  'ssl',
  'backup',
  'two-factor',
  'strong-passwords',
  'hibp',
  'system-tweaks',
  'core-salts',
  'core-tweaks',
  'security-check-pro',
  'site-scanner',
  'malware-scheduling',
  'hide-backend',
  'dashboard-widget',
  'magic-links',
  'online-files',
  'passwordless-login',
  'password-expiration',
  'privilege',
  'recaptcha',
  'import-export',
  'user-logging',
  'user-security-check',
  'version-management',
  'fingerprinting',
  'geolocation',
  'webauthn',
];

/** Namespaces of the site itself; they cannot be switched off. */
export const own: readonly string[] = ['core/v2', 'core-site-health/v1', 'core-block-editor/v1', 'core-abilities/v1'];
