// Requirements for passwords, and the scan for accounts with many rights and weak passwords.
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { t } from '#kernel/schema.ts';
import { userField, userFilter } from '#site/identity/users/additions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { type Finding, type IssueUse, issueRoutes } from '../../accounts/issue-routes.ts';
import { isManaging, isWithin, spanSchema } from '../../accounts/user-filters.ts';
import { rdate } from '../../base.ts';
import type { Manage } from '../../groups/manage.ts';
import { part } from '../../part.ts';
import { hibp, passwordExpiration, passwordRequirements, strongPasswords } from './password-requirements.ts';
import { breachedCheck, createPasswordRules, type Passwords } from './passwords.ts';
import { strongest } from './strength.ts';
import { passwordMigrations } from './tables.ts';

interface Use {
  readonly accounts: Accounts;
  readonly passwords: Pick<Passwords, 'known' | 'held'>;
}

const scores = [0, 1, 2, 3, 4] as const;

const words: Readonly<Record<(typeof scores)[number], string>> = {
  0: 'This password can be guessed at once.',
  1: 'This password can be guessed very easily.',
  2: 'This password can be guessed easily.',
  3: 'This password can be guessed with some effort.',
  4: 'This password is strong.',
};

const findingOf = (user: User, strength: number | undefined): Finding => ({
  user,
  severity: strength === undefined ? 'medium' : strength === strongest ? 'low' : 'high',
  description: describeStrength(strength),
  meta: { strength: strength ?? null },
});

function describeStrength(strength: number | undefined): string {
  if (strength === undefined)
    return 'It is not known how strong the password is. It is measured the next time the user signs in.';
  const known = words[strength as (typeof scores)[number]];
  return strength === strongest
    ? `${known} No action is needed.`
    : `${known} Ask the user to choose another one, or require strong passwords.`;
}

async function findWeak({ accounts, passwords: { known, held } }: Use): Promise<Finding[]> {
  const roles = accounts.rolesAt('administrator');
  if (roles.every((role) => held.to('strength', { id: 0, roles: [role] }))) return [];
  const users = await accounts.holders(roles);
  const all = await known.ofAll(users);
  return users
    .map((user) => findingOf(user, all.get(user.id)?.strength ?? undefined))
    .filter(({ meta }) => meta?.strength !== strongest);
}

type Managing = Use & { readonly manage: Manage };

export const passwordsPart = part({
  name: 'passwords',
  modules: [passwordRequirements, strongPasswords, hibp, passwordExpiration],
  tables: { migrations: passwordMigrations, users: { secsuite_passwords: ['user_id'] } },
  logged: {
    password_requirements: {
      label: 'Password requirements',
      codes: {
        'breached-not-asked': 'The service of breached passwords did not answer',
        'new-password-asked': (_, user) => `User ${user} must choose a new password`,
        'not-measured': 'A password could not be measured',
      },
    },
  },
  make: (services, { settings, switches, matchables, logs, isSuiteOn, accounts }) => {
    const passwords = createPasswordRules({
      ...services,
      settings,
      ready: switches.ready,
      matches: matchables.matches,
      log: logs.write,
      isOn: isSuiteOn,
      siteEmail: async () => (await services.settings.read(services.siteGroup)).email,
      breachedUrl: services.operator.security.breachedUrl,
    });
    accounts.passwordFacts.provide(passwords.known.ofAll);
    return { passwords };
  },
  routes: ({ tools, gate }) => ({
    v1: issueRoutes<Use & IssueUse>(tools, gate, {
      component: 'passwords',
      path: 'strong-passwords/scan',
      summary: 'List administrators whose passwords are not known to be strong',
      isListed: true,
      meta: { type: 'object', properties: { strength: { type: ['integer', 'null'], enum: [...scores, null] } } },
      list: findWeak,
      of: async (user, { passwords: { known } }) => findingOf(user, (await known.of(user)).strength),
    }),
  }),
  cardActions: ({ passwords, manage, settings, isSuiteOn }) => {
    const force = (isForced: boolean) => async (caller: Caller) => {
      await settings.overlay('password-expiration', { expire_force: isForced }, manage.behalfOf(caller));
      return null;
    };
    const isOffered = () => isSuiteOn;
    return {
      'force-password-change': { isOffered, run: force(true) },
      'clear-password-change': { isOffered, isLinked: () => passwords.held.forcedAt > 0, run: force(false) },
    };
  },
  extendsUsers: {
    fields: {
      secsuite_password_strength: userField({
        schema: t.nullable(t.integer({ minimum: 0, maximum: 4 }), { context: ['edit'] }),
        of: async (users, asker, use: Managing) => {
          const all = isManaging(asker, use) ? await use.passwords.known.ofAll(users) : new Map();
          return new Map([...all].map(([id, { strength }]) => [id, strength]));
        },
      }),
      secsuite_password_changed: userField({
        schema: t.nullable(t.string({ format: 'date-time' }), { context: ['edit'] }),
        of: async (users, _, { passwords: { known } }: Use) => {
          const all = await known.ofAll(users);
          const changed = ({ id, registered_at }: User) => all.get(id)?.changed_at ?? registered_at;
          return new Map(users.map((user) => [user.id, rdate(changed(user))]));
        },
      }),
    },
    filters: {
      secsuite_password_strength: userFilter({
        schema: t.list(t.integer({ minimum: 0, maximum: 4 }), { maxItems: 5 }),
        where: (strengths, asker, use: Managing) => {
          if (!isManaging(asker, use) || strengths.length === 0) return undefined;
          return sql<SqlBool>`users.id in (select user_id from secsuite_passwords where strength in (${sql.join(strengths)}))`;
        },
      }),
      secsuite_password_changed: userFilter({
        schema: spanSchema(),
        where: (span, asker, use: Managing) =>
          isManaging(asker, use)
            ? isWithin(
                sql`coalesce((select changed_at from secsuite_passwords where user_id = users.id), users.registered_at)`,
                span,
              )
            : undefined,
      }),
    },
  },
  health: {
    checks: [{ ...breachedCheck, look: ({ passwords }) => passwords.look() }],
    remotes: ({ passwords }) => passwords.remotes(),
  },
  end: ({ passwords }) => passwords.end(),
});
