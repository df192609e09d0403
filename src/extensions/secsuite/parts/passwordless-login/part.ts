// Signing in without a password: by a link from an email or by a passkey.
import type { Module, SettingsOf } from '../../module.ts';
import { signInTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { explained, groupList, listsWith, named, settingsCard } from '../../setting-schemas.ts';
import { createSignInLinks, linkErrors } from './links.ts';
import { choiceLink, linkOffer, linkPages } from './pages.ts';
import { passwordlessMigrations } from './tables.ts';

const methods = { magic: 'A link by email', webauthn: 'A passkey' };
const methodIds = Object.keys(methods);

const passwordlessLogin = {
  id: 'passwordless-login',
  type: 'login',
  standing: 'default-inactive',
  onboard: true,
  title: 'Signing in without a password',
  description: 'Lets users sign in with a passkey, or by a link from an email, instead of their password.',
  help: 'Users add passkeys on their account page. The sign-in page then has the button “Sign in with a passkey” and the link “Email me a link to sign in”. A link works once, for 15 minutes, in the browser that requested it.',
  userGroups: {
    group: {
      title: 'Sign in without a password',
      description: 'Members can sign in without a password. If no group can, all users can.',
      default: 'all',
    },
    '2fa_bypass_group': {
      title: 'Without two-factor authentication',
      description: 'Members who sign in without a password need no two-factor authentication.',
      conditional: { 'active-modules': ['two-factor'] },
    },
  },
  settings: settingsCard({
    properties: {
      methods: {
        type: 'array',
        items: { type: 'string', enum: methodIds, enumNames: Object.values(methods) },
        minItems: 1,
        uniqueItems: true,
        default: methodIds,
        title: 'Ways to sign in',
        description: 'Choose at least 1.',
      },
      availability: named(
        { enabled: 'On by default', disabled: 'Off by default' },
        'enabled',
        'Default for users',
        'Users can turn it on or off for their own account.',
      ),
      flow: explained(
        {
          'method-first': [
            'Everything at once',
            'The page shows the fields for name and password, and the other ways.',
          ],
          'username-first': ['The name first', 'The page asks for the name. The next page shows the ways to sign in.'],
        },
        'method-first',
        'Sign-in page',
        'What the sign-in page asks first.',
      ),
      integrations: {
        type: 'object',
        properties: {},
        additionalProperties: {
          type: 'object',
          properties: {
            enabled: { type: 'boolean', title: 'On', description: 'Offered there as well.' },
          },
          additionalProperties: false,
        },
        default: {},
        title: 'Other pages',
        description: 'Other pages on which users sign in. This site has none, so this setting changes nothing.',
      },
      passkey_user_verification: named(
        { preferred: 'Where the device can', required: 'Always' },
        'preferred',
        'Passkeys verify their owner',
        'Whether the device must verify the user of the passkey by a finger, a face or a PIN.',
      ),
      group: groupList,
      '2fa_bypass_group': groupList,
    },
    uiSchema: {
      methods: {
        'ui:widget': 'checkboxes',
        'ui:enumDescriptions': ['A link that works once is sent by email.', 'The device signs the user in.'],
      },
      availability: { 'ui:widget': 'radio' },
      flow: { 'ui:widget': 'radio' },
      integrations: { 'ui:expandable': false, 'ui:widget': 'hidden' },
      passkey_user_verification: { 'ui:widget': 'radio' },
      'ui:sections': [{ title: 'Passkeys', fields: ['passkey_user_verification'] }],
    },
    conditional: {
      methods: { 'active-modules': ['webauthn'] },
      passkey_user_verification: {
        settings: {
          type: 'object',
          properties: { methods: { type: 'array', enum: listsWith(methodIds, 'webauthn') } },
        },
        'active-modules': ['webauthn'],
      },
      '2fa_bypass_group': { 'active-modules': ['two-factor'] },
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'passwordless-login': SettingsOf<typeof passwordlessLogin>;
  }
}

export const passwordlessLoginPart = part({
  name: 'passwordless-login',
  modules: [passwordlessLogin],
  errors: linkErrors,
  tables: { migrations: passwordlessMigrations, users: { secsuite_sign_in_links: ['user_id'] } },
  notifications: [
    {
      slug: 'passwordless-login',
      ...whileRunning('passwordless-login'),
      recipient: 'user',
      label: 'Sign-in without a password',
      description: 'Sends users a link to sign in without their password.',
      subject: 'Your link to sign in',
      message:
        '<p>Hello {{ $display_name }},</p><p>you requested a link to sign in to your account {{ $username }} at {{ $site_title }}. Open the link below in the same browser. If you did not request it, no action is needed.</p>',
      tags: signInTags,
    },
  ],
  make: (services, { settings, switches, matchables, center, accounts, isSuiteOn }) => {
    const deps = { settings, switches, isSuiteOn, matches: matchables.matches, send: center.send };
    const signInLinks = createSignInLinks(services, deps);
    accounts.passwordless.add(signInLinks);
    const followLinks = (work: () => Promise<void>) => services.events.follow('login.failed', work);
    return { signInLinks, followLinks, linkBase: services.site.url };
  },
  checks: ({ signInLinks, linkBase }) => [
    {
      asksNameFirst: signInLinks.asksNameFirst,
      method: { name: 'magic', failure: 'incorrect_link', prove: signInLinks.prove },
      besides: (form, query) =>
        form === 'sign-in' && signInLinks.isOffered() ? linkOffer(linkBase, query) : undefined,
      account: async (user) => (signInLinks.isOffered() ? [await choiceLink(signInLinks, user)] : []),
    },
  ],
  pages: ({ signInLinks, followLinks, defends }, house) =>
    defends('passwordless-login') ? linkPages({ links: signInLinks, follow: followLinks }, house) : [],
  on: {
    'user.deleted': ({ user }, { signInLinks }) => signInLinks.forget(user),
  },
});
