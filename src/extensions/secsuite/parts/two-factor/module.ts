// The module that asks for a second factor, with its settings. What guards weak accounts is a module of its own that is added to it.
import type { Condition, Module, SettingsOf } from '../../module.ts';
import { flag, groupList, listsWith, named, settingsCard, when } from '../../setting-schemas.ts';

const methods = {
  Two_Factor_Totp: 'Authenticator app',
  Two_Factor_Email: 'Emailed codes',
  Two_Factor_Backup_Codes: 'Recovery codes',
} as const;
export type Method = keyof typeof methods;
export const methodIds = Object.keys(methods) as Method[];

/** Emailed codes are available: a user who has set up nothing is asked for one. */
const byEmail: Condition = {
  settings: {
    type: 'object',
    oneOf: [
      { type: 'object', properties: { available_methods: { type: 'string', enum: ['all'] } } },
      {
        type: 'object',
        properties: {
          available_methods: { type: 'string', enum: ['custom'] },
          custom_available_methods: {
            type: 'array',
            items: { type: 'string' },
            enum: listsWith(methodIds, 'Two_Factor_Email'),
          },
        },
      },
    ],
  },
};

const welcome =
  'Passwords can be guessed or stolen. Set up two-factor authentication now: it takes 1 minute, and protects your account even if others know your password.';

export const twoFactor = {
  id: 'two-factor',
  type: 'login',
  standing: 'default-inactive',
  onboard: true,
  keywords: ['2fa', 'multi-factor', 'mfa'],
  title: 'Two-factor authentication',
  description: 'Asks for a code besides the password: from an authenticator app, from an email, or a recovery code.',
  help: 'Members of the groups you choose must use it. All others can turn it on in their account. Application passwords need no code.',
  userGroups: {
    exclude_group: {
      title: 'Not offered at sign-in',
      description:
        'Members are not offered to set it up when they sign in. They can still turn it on in their account.',
    },
    application_passwords_group: {
      title: 'Application passwords',
      description:
        'Members may use application passwords, which need no code. If you choose no group, all users can use them.',
      default: 'all',
    },
  },
  settings: settingsCard({
    properties: {
      available_methods: named(
        { all: 'All (recommended)', not_email: 'All except emailed codes', custom: 'Those I choose' },
        'all',
        'Methods',
        'The methods that users can set up. Emailed codes are the easiest to set up. An app is safer.',
      ),
      custom_available_methods: {
        type: 'array',
        items: { type: 'string', enum: methodIds, enumNames: Object.values(methods) },
        uniqueItems: true,
        minItems: 1,
        default: methodIds,
        title: 'Methods that users can set up',
        description: 'Choose at least 1.',
      },
      disable_first_login: flag(
        false,
        'Not at the first sign-in',
        'Users who sign in for the first time are not offered to set it up yet.',
      ),
      on_board_welcome: {
        type: 'string',
        default: welcome,
        title: 'Welcome',
        description: 'The text that users read when they are offered to set it up.',
      },
      exclude_group: groupList,
      application_passwords_group: groupList,
    },
    uiSchema: {
      custom_available_methods: { 'ui:widget': 'checkboxes' },
      on_board_welcome: { 'ui:widget': 'textarea' },
      'ui:sections': [
        { title: 'Protection', fields: ['protect_vulnerable_users', 'protect_vulnerable_site'] },
        { title: 'Setup', fields: ['disable_first_login', 'on_board_welcome'] },
      ],
    },
    conditional: { custom_available_methods: when({ available_methods: ['custom'] }) },
  }),
} satisfies Module;

/** Part of `two-factor`, and hidden. */
export const proTwoFactor = {
  id: 'pro-two-factor',
  extends: twoFactor.id,
  type: twoFactor.type,
  standing: twoFactor.standing,
  title: twoFactor.title,
  description: twoFactor.description,
  userGroups: {
    protect_user_group: {
      title: 'Required',
      description: 'Members always need a code. Until they have set up a method, they receive it by email.',
      default: ['administrator', 'editor'],
      keywords: ['Force Two Factor'],
      conditional: byEmail,
    },
    remember_group: {
      title: 'Allow remembered devices',
      description: 'Members can let the site remember a device. They need no code on it for 30 days.',
      conditional: { 'active-modules': ['fingerprinting'] },
    },
  },
  settings: settingsCard({
    properties: {
      protect_vulnerable_users: flag(
        false,
        'Required for weak passwords',
        'Users whose password was measured as weak must use two-factor authentication.',
      ),
      protect_vulnerable_site: flag(
        false,
        'Required while software is out of date',
        'While an update waits for more than 30 days, all users must use two-factor authentication.',
      ),
      protect_user_group: groupList,
      remember_group: groupList,
    },
    conditional: {
      protect_vulnerable_users: byEmail,
      protect_vulnerable_site: { ...byEmail, 'active-modules': ['version-management'] },
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'two-factor': SettingsOf<typeof twoFactor> & SettingsOf<typeof proTwoFactor>;
  }
}
