// How much of the interface is open, and how people sign in.
import type { Module } from '../../module.ts';
import { explained, flag, settingsCard, unavailable } from '../../setting-schemas.ts';

export const coreTweaks: Module = {
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
};
