// The notifications there are, as they are shown: by their modules.
import type { Notification, Running } from './notification.ts';

const site = { site_title: 'What the site is called.', site_url: 'The address of the site.' };
const person = { username: 'The name the person signs in with.', display_name: 'The name of the person.' };
const signIn = { ...person, login_url: 'The link to sign in by.', ...site };
const coded = { ...person, site_title: site.site_title };

const whileRunning = (module: string) => ({
  module,
  isThere: ({ switches }: Running) => switches.isRunning(module),
});

const isSet = (value: unknown): boolean => value === true || value === 'all' || value === 'custom';

export const everyNotification: readonly Notification[] = [
  {
    slug: 'digest',
    module: '',
    recipient: 'user-list',
    schedule: { min: 'daily', max: 'weekly', default: 'daily' },
    label: 'Summary',
    description: 'Says now and then how many were locked out, and whatever else can wait.',
    subject: 'What happened on your site',
    optional: true,
  },
  {
    slug: 'lockout',
    module: '',
    recipient: 'user-list',
    label: 'Lockouts',
    description: 'Says who was locked out, and why. When there are very many, the rest is counted in the summary.',
    subject: 'Somebody was locked out',
    optional: true,
  },
  {
    slug: 'backup',
    ...whileRunning('backup'),
    recipient: 'email-list',
    label: 'Backup of the database',
    description: 'Carries the backup, or says where it is.',
    subject: 'A backup of your site',
    isThere: ({ switches, settings }) => switches.isRunning('backup') && settings.of('backup').method !== 'local',
  },
  {
    slug: 'file-change',
    ...whileRunning('file-change'),
    recipient: 'user-list',
    label: 'Changed files',
    description: 'Says which files were added, changed or removed.',
    subject: 'Files of your site have changed',
    optional: true,
  },
  {
    slug: 'unrecognized-login',
    ...whileRunning('fingerprinting'),
    recipient: 'user',
    label: 'Sign-in from an unknown device',
    description: 'Asks people whether it was they who signed in with a device that was not seen before.',
    subject: 'A new device has signed in as you',
    message:
      '<h2>Was that you?</h2><p>Hello {{ $display_name }},</p><p>on {{ $date }} at {{ $time }} somebody signed in to your account {{ $username }} at {{ $site_title }} with a device that we do not know.</p><p>Place: {{ $location }}. Address: {{ $ip }}. Browser: {{ $browser }}. System: {{ $platform }}.</p><p>If it was not you, please change your password at once.</p>',
    optional: false,
    tags: {
      ...person,
      location: 'Where the device seems to be.',
      ip: 'The address of the device.',
      browser: 'The browser of the device.',
      platform: 'The system of the device.',
      site_title: site.site_title,
      date: 'The day of the sign-in.',
      time: 'The time of the sign-in.',
    },
  },
  {
    slug: 'hide-backend',
    module: 'hide-backend',
    recipient: 'user-list',
    label: 'New sign-in address',
    description: 'Says where the page to sign in at is to be found from now on.',
    subject: 'The sign-in page has moved',
    message:
      '<p>The page to sign in at {{ $site_title }} ({{ $site_url }}) has moved. Please sign in here from now on: <a href="{{ $login_url }}">{{ $login_url }}</a></p><p>Keep this address to yourself.</p>',
    tags: { login_url: 'The new address of the sign-in page.', ...site },
    isThere: ({ settings }) => settings.of('hide-backend').enabled === true,
  },
  {
    slug: 'import-export',
    module: 'import-export',
    recipient: 'per-use',
    label: 'Exported settings',
    description: 'Goes to whoever asked for the settings of the suite to be exported.',
    subject: 'Your security settings',
    message:
      '<p>On {{ $date }} at {{ $time }} the security settings of {{ $site_title }} ({{ $site_url }}) were exported as you asked.</p>',
    tags: { date: 'The day of the export.', time: 'The time of the export.', ...site },
  },
  {
    slug: 'magic-link-login-page',
    ...whileRunning('magic-links'),
    recipient: 'user',
    label: 'Link past a lockout',
    description: 'Lets people sign in all the same whose account was locked by somebody who guessed at it.',
    subject: 'Your link to sign in',
    message:
      '<p>Hello {{ $display_name }},</p><p>your account {{ $username }} at {{ $site_title }} is locked just now, for somebody tried too many passwords. This link lets you sign in all the same, once and within half an hour:</p><p><a href="{{ $login_url }}">{{ $login_url }}</a></p><p>If you did not ask for it, there is nothing to do.</p>',
    tags: signIn,
  },
  {
    slug: 'malware-scheduling',
    ...whileRunning('malware-scheduling'),
    recipient: 'user-list',
    label: 'Results of scans',
    description: 'Not available in this version. Says what a scan has found.',
    optional: true,
  },
  {
    slug: 'passwordless-login',
    ...whileRunning('passwordless-login'),
    recipient: 'user',
    label: 'Sign-in without a password',
    description: 'Not available in this version. Holds the link by which people sign in without their password.',
    subject: 'Your link to sign in',
    message:
      '<p>Hello {{ $display_name }},</p><p>by this link you sign in to your account {{ $username }} at {{ $site_title }}: <a href="{{ $login_url }}">{{ $login_url }}</a></p><p>If you did not ask for it, there is nothing to do.</p>',
    tags: signIn,
  },
  {
    slug: 'two-factor-email',
    ...whileRunning('two-factor'),
    recipient: 'user',
    label: 'Second step by mail',
    description: 'Not available in this version. Holds the code that people sign in with besides their password.',
    subject: 'Your code to sign in',
    message:
      '<p>Hello {{ $display_name }},</p><p>somebody, most likely you, signs in to your account {{ $username }} at {{ $site_title }}. Please go on with the code below.</p>',
    tags: coded,
  },
  {
    slug: 'two-factor-confirm-email',
    ...whileRunning('two-factor'),
    recipient: 'user',
    label: 'Address for the second step',
    description: 'Not available in this version. Makes sure that codes will arrive before they are needed.',
    subject: 'Your code to try',
    message:
      '<p>Hello {{ $display_name }},</p><p>codes to sign in to your account {{ $username }} at {{ $site_title }} will be sent to this address. Please enter the code below to show that they arrive.</p>',
    optional: true,
    tags: coded,
  },
  {
    slug: 'two-factor-reminder',
    ...whileRunning('two-factor'),
    recipient: 'user',
    label: 'Reminder of the second step',
    description: 'Not available in this version. Asks people to set up a second step to sign in with.',
    subject: 'Please set up a second step to sign in',
    message:
      '<p>Hello {{ $display_name }},</p><p>{{ $requester_display_name }} asks you to set up a second step for your account {{ $username }} at {{ $site_title }}. With it, nobody signs in as you who only knows your password.</p>',
    tags: {
      ...person,
      requester_username: 'The name whoever asks signs in with.',
      requester_display_name: 'The name of whoever asks.',
      site_title: site.site_title,
    },
  },
  {
    slug: 'inactive-users',
    module: 'user-security-check',
    recipient: 'user-list',
    schedule: { min: 'daily', max: 'monthly', default: 'daily' },
    label: 'Unused accounts',
    description: 'Names accounts that may do much and were not used for long.',
    subject: 'Accounts that nobody uses',
    optional: true,
  },
  {
    slug: 'old-site-scan',
    module: 'version-management',
    recipient: 'user-list',
    schedule: { min: 'daily', max: 'monthly', default: 'daily' },
    label: 'Forgotten sites',
    description: 'Not available in this version. Names other sites on this machine that run an old version.',
    subject: 'An old site was found',
    isThere: ({ switches, settings }) =>
      switches.isRunning('version-management') && settings.of('version-management').scan_for_old_sites === true,
  },
  {
    slug: 'automatic-updates-debug',
    module: 'version-management',
    recipient: 'user-list',
    label: 'Updates',
    description: 'Says what became of updates.',
    optional: true,
    isThere: ({ switches, settings }) => {
      const { core_automatic_updates, plugin_automatic_updates, theme_automatic_updates } =
        settings.of('version-management');
      return (
        switches.isRunning('version-management') &&
        [core_automatic_updates, plugin_automatic_updates, theme_automatic_updates].some(isSet)
      );
    },
  },
];
