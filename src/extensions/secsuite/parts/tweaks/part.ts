// HTTPS for every request, an API for users only, and names to sign in with.

import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, explained, flag, named, settingsCard, unavailable } from '../../setting-schemas.ts';
import { createTweaks, tweaksErrors } from './tweaks.ts';

const coreTweaks = {
  id: 'core-tweaks',
  type: 'advanced',
  standing: 'always-active',
  title: 'API and accounts',
  description: 'Turns off parts of the site that you do not use.',
  help: 'Some apps need some of these parts. Turn off one at a time.',
  settings: settingsCard({
    properties: {
      file_editor: flag(true, 'No editing of code', 'Users cannot change the code of the site from within the site.'),
      disable_xmlrpc: explained(
        {
          disable: ['Closed', 'The old API is turned off. Recommended if no app uses it.'],
          disable_pingbacks: ['Closed for pingbacks', 'Other sites cannot send pingbacks through the old API.'],
          enable: ['Open', 'The old API is open to all users.'],
        },
        'enable',
        'Old API (XML-RPC)',
        'An earlier API, which some older apps use.',
      ),
      allow_xmlrpc_multiauth: unavailable(
        flag(false, 'Several sign-ins in one request', 'Lets one request to the old API try several passwords.'),
        'this version does not have this API',
      ),
      rest_api: explained(
        {
          'default-access': ['Default', 'Apps can read the public content of the site.'],
          'restrict-access': ['Restricted', 'Only accounts that can edit records can list them.'],
        },
        'default-access',
        'API',
        'Which accounts can list posts, users and comments.',
      ),
      valid_user_login_type: explained(
        {
          both: ['User name or email address', 'Users can sign in with either.'],
          email: ['Mail address', 'Users cannot sign in with the user name, so it can be public.'],
          username: ['Name', 'Users cannot sign in with the email address.'],
        },
        'both',
        'Sign in with',
        'Name that users enter with their password.',
      ),
      force_unique_nicename: flag(
        false,
        'Public names that are not the login',
        'The URL of an author never has the login.',
      ),
      disable_unused_author_pages: unavailable(
        flag(false, 'No pages of authors without posts', 'Accounts without published posts have no author page.'),
        'authors without published posts never have a page',
      ),
    },
    uiSchema: {
      rest_api: { 'ui:widget': 'radio' },
      'ui:sections': [
        { title: 'APIs', fields: ['disable_xmlrpc', 'allow_xmlrpc_multiauth', 'rest_api'] },
        {
          title: 'Accounts',
          fields: ['valid_user_login_type', 'force_unique_nicename', 'disable_unused_author_pages'],
        },
      ],
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'core-tweaks': SettingsOf<typeof coreTweaks>;
  }
}

/** The settings of this module have no effect, because turning it on or off says everything. Clients still look for them. */
const ssl: Module = {
  id: 'ssl',
  type: 'utility',
  standing: 'default-inactive',
  title: 'HTTPS for everything',
  description: 'Redirects requests without HTTPS to the same URL with HTTPS.',
  requirements: { ssl: { validate: 'activate' } },
  settings: settingsCard({
    properties: allUnavailable({
      require_ssl: named(
        { disabled: 'No', enabled: 'Yes', advanced: 'In part' },
        'disabled',
        'HTTPS',
        'Whether HTTPS is required.',
      ),
      frontend: {
        type: 'integer',
        minimum: 0,
        maximum: 2,
        default: 0,
        title: 'HTTPS for pages',
        description: 'Which pages require HTTPS.',
      },
      admin: flag(false, 'HTTPS for management', 'Whether management requires HTTPS.'),
    }),
    deprecated: ['require_ssl', 'frontend', 'admin'],
  }),
};

export const tweaksPart = part({
  name: 'tweaks',
  errors: tweaksErrors,
  modules: [ssl, coreTweaks],
  make: (services, { settings, defends }) => ({
    tweaks: createTweaks({ ...services, settings, url: services.site.url, isRunning: defends }),
  }),
  guards: ({ tweaks }) => tweaks.guards,
  checks: ({ tweaks }) => [tweaks.check],
});
