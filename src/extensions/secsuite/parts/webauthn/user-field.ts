// How users sign in without a password, in their records. Clients may turn it on and off for a user.
import { t } from '#kernel/schema.ts';
import { type UserAddition, userField } from '#site/identity/users/additions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Settings } from '../../settings/types.ts';
import type { Switches } from '../../switches/switches.ts';
import type { Passkeys } from './passkeys.ts';

interface Use {
  readonly accounts: Accounts;
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly passkeys: Pick<Passkeys, 'isInGroup'>;
}

const switchable = { enabled: t.optional(t.boolean()), '2fa_enabled': t.optional(t.boolean()) };

const schema = t.object(
  {
    available: t.boolean({ description: 'Whether the user can sign in without a password.' }),
    available_methods: t.list(t.string()),
    '2fa_used': t.boolean({ description: 'Whether two-factor authentication is set up.' }),
    '2fa_enforced': t.boolean({ description: 'Whether it is required.' }),
    enabled: t.boolean({ description: 'Whether it is turned on for the user.' }),
    '2fa_enabled': t.boolean({ description: 'Whether the user needs a code then too.' }),
  },
  { context: ['edit'] },
);

async function valuesOf(users: readonly User[], { accounts, settings, switches, passkeys }: Use) {
  const isRunning = switches.isRunning('passwordless-login');
  const { methods } = settings.of('passwordless-login');
  const available_methods = methods.filter((name) => name !== 'webauthn' || switches.isRunning('webauthn'));
  const twoFactorOf = await accounts.twoFactorFacts.of(users);
  const values = new Map<number, object>();
  for (const user of users) {
    const { isSetUp, isRequired, isKept } = twoFactorOf(user);
    values.set(user.id, {
      available: isRunning && passkeys.isInGroup(user),
      available_methods,
      '2fa_used': isSetUp,
      '2fa_enforced': isRequired,
      enabled: await accounts.passwordless.hasAllowed(user),
      '2fa_enabled': isKept,
    });
  }
  return values;
}

export const passwordlessAdditions: UserAddition<Use> = {
  fields: {
    secsuite_passwordless_login: userField({
      schema,
      of: async (users, _, use: Use) => valuesOf(users, use),
      input: t.object(switchable),
      async change(user, { enabled, '2fa_enabled': isKept }, { accounts }: Use) {
        const { hasAllowed, allow } = accounts.passwordless;
        if (enabled !== undefined && enabled !== (await hasAllowed(user))) await allow(user, enabled);
        const now = (await accounts.twoFactorFacts.of([user]))(user).isKept;
        if (isKept !== undefined && isKept !== now) await accounts.twoFactorFacts.keep(user, isKept);
      },
    }),
  },
};
