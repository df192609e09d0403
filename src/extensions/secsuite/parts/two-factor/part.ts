// A second proof beside the password. What guards weak accounts is a module of its own that is added to this one.

import { ofUser } from '../../logs/named.ts';
import type { Condition, Module } from '../../module.ts';
import { codeTags, personTags, siteTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { allUnavailable, flag, groupList, later, listsWith, named, settingsCard, when } from '../../setting-schemas.ts';

const methods = {
  Two_Factor_Totp: 'An app',
  Two_Factor_Email: 'A mail',
  Two_Factor_Backup_Codes: 'Codes on paper',
};
const methodIds = Object.keys(methods);

/** The mailed code may be asked for, for it is what somebody is asked for who has set up nothing. */
const byMail: Condition = {
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
  'A password alone can be guessed or stolen. Please set up a second proof now: it takes a minute, and keeps others out of your account.';

const twoFactor: Module = {
  id: 'two-factor',
  type: 'login',
  standing: 'default-inactive',
  onboard: true,
  keywords: ['2fa', 'multi-factor', 'mfa'],
  title: 'A second proof',
  description: `${later} Will ask for two-factor authentication: beside the password, a code from an app, an email or paper.`,
  help: `${later} A password alone signs people in.`,
  userGroups: {
    exclude_group: {
      title: 'Not asked to set it up',
      description: 'Members are not asked to set up a second proof when they sign in. They may all the same.',
    },
    application_passwords_group: {
      title: 'Passwords for applications',
      description: 'Members may make passwords for programs, which cannot give a second proof.',
      default: 'all',
    },
  },
  settings: settingsCard({
    properties: allUnavailable({
      available_methods: named(
        { all: 'All (recommended)', not_email: 'All but mail', custom: 'Those I choose' },
        'all',
        'Proofs there are',
        'Which proofs may be set up. A mail is the easiest to set up; an app is safer.',
      ),
      custom_available_methods: {
        type: 'array',
        items: { type: 'string', enum: methodIds, enumNames: Object.values(methods) },
        uniqueItems: true,
        minItems: 1,
        default: methodIds,
        title: 'Proofs that may be set up',
        description: 'At least one.',
      },
      disable_first_login: flag(
        false,
        'Not at the first sign-in',
        'Whoever signs in for the first time is not yet asked to set up a second proof.',
      ),
      on_board_welcome: {
        type: 'string',
        default: welcome,
        title: 'Welcome',
        description: 'What people read when they are asked to set up a second proof.',
      },
      exclude_group: groupList,
      application_passwords_group: groupList,
    }),
    uiSchema: {
      custom_available_methods: { 'ui:widget': 'checkboxes' },
      on_board_welcome: { 'ui:widget': 'textarea' },
      'ui:sections': [
        { title: 'Protection', fields: ['protect_vulnerable_users', 'protect_vulnerable_site'] },
        { title: 'Setting up', fields: ['disable_first_login', 'on_board_welcome'] },
      ],
    },
    conditional: { custom_available_methods: when({ available_methods: ['custom'] }) },
  }),
};

/** Part of `two-factor`, and hidden. */
const proTwoFactor: Module = {
  id: 'pro-two-factor',
  extends: twoFactor.id,
  type: twoFactor.type,
  standing: twoFactor.standing,
  title: twoFactor.title,
  description: twoFactor.description,
  userGroups: {
    protect_user_group: {
      title: 'Must give a second proof',
      description: 'Members are asked for a second proof always. Until they have set up one, a code is mailed to them.',
      default: ['administrator', 'editor'],
      keywords: ['Force Two Factor'],
      conditional: byMail,
    },
    remember_group: {
      title: 'May have a device remembered',
      description: 'Members may say that a device is theirs, and are then not asked on it for thirty days.',
      conditional: { 'active-modules': ['fingerprinting'] },
    },
  },
  settings: settingsCard({
    properties: allUnavailable({
      protect_vulnerable_users: flag(
        false,
        'Ask it of weak accounts',
        'Whoever has a weak password must give a second proof.',
      ),
      protect_vulnerable_site: flag(
        false,
        'Ask it while software is old',
        'While this site runs software that is out of date, everybody must give a second proof.',
      ),
      protect_user_group: groupList,
      remember_group: groupList,
    }),
    conditional: {
      protect_vulnerable_users: byMail,
      protect_vulnerable_site: { ...byMail, 'active-modules': ['version-management'] },
    },
  }),
};

export const twoFactorPart = part({
  name: 'two-factor',
  modules: [twoFactor, proTwoFactor],
  notifications: [
    {
      slug: 'two-factor-email',
      ...whileRunning('two-factor'),
      recipient: 'user',
      label: 'Second step by mail',
      description: 'Not available in this version. Holds the code that people sign in with besides their password.',
      subject: 'Your code to sign in',
      message:
        '<p>Hello {{ $display_name }},</p><p>somebody, most likely you, signs in to your account {{ $username }} at {{ $site_title }}. Please go on with the code below.</p>',
      tags: codeTags,
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
      tags: codeTags,
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
        ...personTags,
        requester_username: 'The name whoever asks signs in with.',
        requester_display_name: 'The name of whoever asks.',
        site_title: siteTags.site_title,
      },
    },
  ],
  logged: {
    two_factor: {
      label: 'Second factor',
      codes: {
        successful_authentication: ofUser('Second factor given'),
        failed_authentication: ofUser('Second factor refused'),
      },
    },
  },
});
