// What is asked of passwords, and of whose. Each requirement is described by the module that asks it.
import type { Condition, Module, PasswordRequirementCard, Setting, SettingSchema, SettingsOf } from '../../module.ts';
import { days, settingsCard } from '../../setting-schemas.ts';

/** The requirement that a password cannot be guessed. */
export const strongPasswords = {
  id: 'strong-passwords',
  type: 'recommended',
  standing: 'always-active',
  title: 'Strong passwords',
  description: 'Refuses passwords that are easy to guess.',
  passwordRequirements: {
    strength: {
      title: 'Strong passwords',
      description: 'Members must choose a password that takes very long to guess.',
      'user-group': true,
    },
  },
} as const satisfies Module;

/** The requirements that a password is changed: after some time, and when everybody is asked to. */
export const passwordExpiration = {
  id: 'password-expiration',
  type: 'recommended',
  standing: 'always-active',
  title: 'Age of passwords',
  description: 'Requires a new password when the old one is too old.',
  passwordRequirements: {
    age: {
      'user-group': true,
      settings: {
        type: 'object',
        properties: {
          expire_max: days(120, 0, 'Maximum age', 'Number of days after which members must choose a new password.'),
        } satisfies Record<string, SettingSchema>,
      },
    },
    force: { title: 'New password for all users' },
  },
  settings: settingsCard({
    properties: {
      // Kept is when everybody was asked; sent may be yes, which is now, or no.
      expire_force: { type: ['integer', 'boolean'], minimum: 0, default: 0, readonly: true },
    },
  }),
} as const satisfies Module;

/** The requirement that a password has not become known. */
export const hibp = {
  id: 'hibp',
  type: 'recommended',
  standing: 'always-active',
  title: 'Breached passwords',
  description:
    'Refuses passwords from known data breaches. The site sends only 5 characters of the hash of a password.',
  passwordRequirements: { hibp: { 'user-group': true } },
} as const satisfies Module;

/** By code, each with what a form calls it. */
const requirements: readonly (readonly [code: string, card: PasswordRequirementCard, module: Module])[] = [
  ['strength', strongPasswords.passwordRequirements.strength, strongPasswords],
  ['hibp', hibp.passwordRequirements.hibp, hibp],
  ['age', passwordExpiration.passwordRequirements.age, passwordExpiration],
  ['force', passwordExpiration.passwordRequirements.force, passwordExpiration],
];

const withGroups = requirements.filter(([, card]) => card['user-group']);

const group: SettingSchema = { type: 'array', items: { type: 'string' }, default: [], readonly: true };

const usual = (properties: Readonly<Record<string, SettingSchema>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]));

function settingOf(card: PasswordRequirementCard, module: Module): SettingSchema {
  const properties = { ...card.settings?.properties, group };
  return {
    type: 'object',
    properties,
    default: usual(properties),
    title: card.title ?? module.title,
    description: card.description ?? module.description,
  };
}

const properties = Object.fromEntries(withGroups.map(([code, card, module]) => [code, settingOf(card, module)]));

/** Whom each requirement holds for, and what it is set up with. */
export type RequirementSettings = Readonly<
  Record<'strength' | 'hibp' | 'age', { readonly group?: readonly string[]; readonly expire_max?: number }>
>;

const requirementSettings: Setting<RequirementSettings> = {
  type: 'object',
  properties,
  additionalProperties: { type: 'object' },
  default: usual(properties) as RequirementSettings,
  title: 'Requirements',
  description: 'Each requirement applies to its groups.',
};

const held = (code: string): Condition => ({ 'user-groups': [`requirement_settings.${code}.group`] });

export const passwordRequirements = {
  id: 'password-requirements',
  type: 'login',
  standing: 'always-active',
  order: 20,
  title: 'Passwords',
  description: 'Requirements of passwords, for each group.',
  help: 'Users whose password does not meet the requirements must choose a new one at the next sign-in.',
  settings: settingsCard({
    properties: {
      enabled_requirements: {
        type: 'object',
        additionalProperties: { type: 'boolean' },
        default: Object.fromEntries(requirements.map(([code]) => [code, false])),
        readonly: true,
      },
      requirement_settings: requirementSettings,
    },
    uiSchema: {
      requirement_settings: {
        classnames: 'secsuite-password-requirements-requirement-settings',
        'ui:expandable': false,
        'ui:removable': false,
        additionalProperties: { 'ui:removable': false },
        ...Object.fromEntries(withGroups.map(([code]) => [code, { group: { 'ui:widget': 'hidden' } }])),
      },
    },
    conditional: {
      requirement_settings: {
        settings: { type: 'object', properties: { requirement_settings: { type: 'object', minProperties: 1 } } },
      },
      ...Object.fromEntries(withGroups.map(([code]) => [`requirement_settings.${code}`, held(code)])),
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'password-requirements': SettingsOf<typeof passwordRequirements>;
    'password-expiration': SettingsOf<typeof passwordExpiration>;
  }
}
