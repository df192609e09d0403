// A sign-in page at a secret URL, which only people know who need it.

import type { Module, SettingsOf } from '../../module.ts';
import { siteTags } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { flag, forAll, settingsCard, when } from '../../setting-schemas.ts';
import { createHidden, hideBackendErrors } from './hide-backend.ts';

/** Addresses that every attacker tries, and those the service needs for itself. */
const taken = ['login', 'admin', 'account', 'dashboard', 'wp-login', 'wp-admin', 'wp-json', 'api', 'healthz', 'readyz'];

const hideBackend = {
  id: 'hide-backend',
  type: 'advanced',
  standing: 'always-active',
  title: 'Hidden sign-in page',
  description: 'Moves the page to sign in at to an address of your own.',
  help: 'Note the new address before you save. It is mailed to those who get the notification about it, too.',
  settings: settingsCard({
    properties: {
      enabled: flag(false, 'Hide the sign-in page', 'It is found at its new address only.'),
      slug: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: `^(?!(${taken.join('|')})$)[\\w\\-?&=#%]+$`,
        default: 'wplogin',
        title: 'New address',
        description: 'What stands behind the address of the site.',
      },
      register: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: '^[\\w\\-?&=#%]+$',
        default: 'register',
        title: 'Address to sign up at',
        description: 'Where people make an account, if the site lets them.',
      },
      theme_compat: flag(
        true,
        'Send on',
        'Whoever calls the former address is sent to another page. Otherwise the answer is a refusal.',
      ),
      theme_compat_slug: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: '^[\\w\\-?&=#%]+$',
        default: 'not_found',
        title: 'Where to',
        description: 'The page that whoever calls the former address is sent to.',
      },
      post_logout_slug: {
        type: 'string',
        maxLength: 64,
        pattern: '^[\\w\\-%]*$',
        default: '',
        title: 'An action of one’s own',
        description: 'An action of the sign-in page that an extension of yours uses, and that stays reachable.',
      },
    },
    uiSchema: {
      'ui:sections': [
        { title: 'Addresses', fields: ['slug', 'register'] },
        { title: 'The former address', fields: ['theme_compat', 'theme_compat_slug'] },
        { title: 'Further', fields: ['post_logout_slug'] },
      ],
    },
    conditional: {
      ...forAll(['slug', 'register', 'theme_compat', 'post_logout_slug'], when({ enabled: [true] })),
      theme_compat_slug: when({ enabled: [true], theme_compat: [true] }),
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'hide-backend': SettingsOf<typeof hideBackend>;
  }
}

export const hideBackendPart = part({
  name: 'hide-backend',
  errors: hideBackendErrors,
  modules: [hideBackend],
  notifications: [
    {
      slug: 'hide-backend',
      module: 'hide-backend',
      recipient: 'user-list',
      label: 'New sign-in address',
      description: 'Says where the page to sign in at is to be found from now on.',
      subject: 'The sign-in page has moved',
      message:
        '<p>The page to sign in at {{ $site_title }} ({{ $site_url }}) has moved. Please sign in here from now on: <a href="{{ $login_url }}">{{ $login_url }}</a></p><p>Keep this address to yourself.</p>',
      tags: { login_url: 'The new address of the sign-in page.', ...siteTags },
      isThere: ({ settings }) => settings.of('hide-backend').enabled,
    },
  ],
  make: (services, { settings, center, defends }) => ({
    hidden: createHidden({ ...services, settings, url: services.site.url, isRunning: defends, send: center.send }),
  }),
  guards: ({ hidden }) => [hidden.guard],
  pages: ({ hidden }, house) => hidden.pages(house),
  end: ({ hidden }) => hidden.end(),
});
