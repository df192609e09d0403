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
  description: 'Moves the sign-in page to a URL of your choice.',
  help: 'Write down the new URL before you save. The recipients of the notification also receive it by email.',
  settings: settingsCard({
    properties: {
      enabled: flag(false, 'Hide the sign-in page', 'Only the new URL shows the sign-in page.'),
      slug: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: `^(?!(${taken.join('|')})$)[\\w\\-?&=#%]+$`,
        default: 'wplogin',
        title: 'New URL',
        description: 'Path of the sign-in page.',
      },
      register: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: '^[\\w\\-?&=#%]+$',
        default: 'register',
        title: 'Path of the sign-up page',
        description: 'Path where visitors create an account, if the site allows it.',
      },
      theme_compat: flag(
        true,
        'Redirect',
        'Visitors of the old URL are redirected to another page. Otherwise the site refuses the request.',
      ),
      theme_compat_slug: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: '^[\\w\\-?&=#%]+$',
        default: 'not_found',
        title: 'Redirect to',
        description: 'Page that visitors of the old URL are redirected to.',
      },
      post_logout_slug: {
        type: 'string',
        maxLength: 64,
        pattern: '^[\\w\\-%]*$',
        default: '',
        title: 'Own action',
        description: 'An action of the sign-in page that one of your extensions uses. It still works at the old URL.',
      },
    },
    uiSchema: {
      'ui:sections': [
        { title: 'URLs', fields: ['slug', 'register'] },
        { title: 'Old URL', fields: ['theme_compat', 'theme_compat_slug'] },
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
      label: 'New sign-in URL',
      description: 'Tells the new URL of the sign-in page.',
      subject: 'The sign-in page has moved',
      message:
        '<p>The sign-in page of {{ $site_title }} ({{ $site_url }}) has moved. From now on, sign in here: <a href="{{ $login_url }}">{{ $login_url }}</a></p><p>Do not share this link.</p>',
      tags: { login_url: 'The new URL of the sign-in page.', ...siteTags },
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
