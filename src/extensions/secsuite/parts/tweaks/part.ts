// HTTPS for every request, an API for users only, and names to sign in with.

import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, explained, flag, named, settingsCard, unavailable } from '../../setting-schemas.ts';
import { createTweaks, tweaksErrors } from './tweaks.ts';

const coreTweaks = {
  id: 'core-tweaks',
  type: 'advanced',
  standing: 'always-active',
  title: 'Interface and accounts',
  description: 'Closes ways into the site that you do not use.',
  help: 'Some of these may be in the way of a program that you use. Try them out one by one.',
  settings: settingsCard({
    properties: {
      file_editor: flag(true, 'No editing of code', 'Nobody can change code of the site from within the site.'),
      disable_xmlrpc: explained(
        {
          disable: ['Closed', 'Nobody reaches the old interface. Recommended where nothing uses it.'],
          disable_pingbacks: ['Closed for pingbacks', 'Other sites cannot announce links over the old interface.'],
          enable: ['Open', 'The old interface is open to everybody who may sign in.'],
        },
        'enable',
        'The old remote interface',
        'An interface from before the present one, which some older programs use.',
      ),
      allow_xmlrpc_multiauth: unavailable(
        flag(false, 'Several sign-ins in one request', 'Lets one request to the old interface try several passwords.'),
        'the site has no such interface',
      ),
      rest_api: explained(
        {
          'default-access': ['As usual', 'What is public on the site can be read over the interface, too.'],
          'restrict-access': ['Restricted', 'Lists can be read by those only who may also change what is in them.'],
        },
        'default-access',
        'The interface',
        'Who may read the lists of posts, users and comments.',
      ),
      valid_user_login_type: explained(
        {
          both: ['Name or mail address', 'Either of them will do.'],
          email: ['Mail address', 'The name will not do, so that it may be known.'],
          username: ['Name', 'The mail address will not do.'],
        },
        'both',
        'Sign in with',
        'What people enter beside their password.',
      ),
      force_unique_nicename: flag(
        false,
        'Names that say nothing',
        'The name in the address of an author is never the name to sign in with.',
      ),
      disable_unused_author_pages: unavailable(
        flag(
          false,
          'No pages of authors without posts',
          'Accounts without published posts are not found by their pages.',
        ),
        'authors without published posts never have a page',
      ),
    },
    uiSchema: {
      rest_api: { 'ui:widget': 'radio' },
      'ui:sections': [
        { title: 'Interfaces', fields: ['disable_xmlrpc', 'allow_xmlrpc_multiauth', 'rest_api'] },
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
  description: 'Sends everybody who comes without HTTPS on to the same address with it.',
  requirements: { ssl: { validate: 'activate' } },
  settings: settingsCard({
    properties: allUnavailable({
      require_ssl: named(
        { disabled: 'No', enabled: 'Yes', advanced: 'In part' },
        'disabled',
        'HTTPS',
        'Whether HTTPS is asked for.',
      ),
      frontend: {
        type: 'integer',
        minimum: 0,
        maximum: 2,
        default: 0,
        title: 'HTTPS for pages',
        description: 'Which pages ask for HTTPS.',
      },
      admin: flag(false, 'HTTPS for management', 'Whether management asks for HTTPS.'),
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
