// The two-factor authentication of users as security managers see it: a scan of administrators without it, a field of the record of each
// user and a filter of their list.
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { defineError } from '#kernel/problem.ts';
import { t } from '#kernel/schema.ts';
import { credentialOf } from '#site/identity/credential.ts';
import { type UserAddition, userField, userFilter } from '#site/identity/users/additions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { AboutNow } from '#site/platform/about.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Finding, IssueUse, Scan } from '../../accounts/issue-routes.ts';
import { type TwoFactorFact, twoFactorStatus } from '../../accounts/sign-in-facts.ts';
import { isManaging } from '../../accounts/user-filters.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Manage } from '../../groups/manage.ts';
import type { Center } from '../../notifications/center.ts';
import type { Settings } from '../../settings/types.ts';
import type { Factors } from './factors.ts';
import { twoFactorPath } from './page.ts';

export const overviewErrors = {
  sendFailed: defineError(
    500,
    'send_failed',
    'The reminder could not be sent. Look at the settings for email, and try again.',
  ),
};

interface OverviewUse {
  readonly accounts: Accounts;
  readonly center: Pick<Center, 'send'>;
  readonly manage: Pick<Manage, 'isManager' | 'behalfOf'>;
  readonly matchables: Pick<Matchables, 'matches'>;
  readonly settings: Pick<Settings, 'of'>;
  readonly twoFactor: Factors & { readonly about: AboutNow };
}

const findingOf = (user: User): Finding => ({
  user,
  severity: 'medium',
  description: 'This administrator has not set up two-factor authentication. A stolen password is enough to sign in.',
});

async function findWithout({ accounts, matchables, settings, twoFactor }: OverviewUse): Promise<Finding[]> {
  const roles = accounts.rolesAt('administrator');
  const { protect_user_group } = settings.of('two-factor');
  if (roles.every((role) => matchables.matches(protect_user_group, { id: 0, roles: [role] }))) return [];
  const users = await accounts.holders(roles);
  const have = await twoFactor.withMethod(users);
  return users.filter(({ id }) => !have.has(id)).map(findingOf);
}

export async function remind(user: User, caller: Caller, { center, twoFactor }: OverviewUse): Promise<User> {
  const by = credentialOf(caller)?.user;
  const { url } = await twoFactor.about();
  const tags = {
    username: user.login,
    display_name: user.name,
    requester_username: by?.login ?? '',
    requester_display_name: by?.name ?? '',
  };
  const text = `Set it up here:\n${url}${twoFactorPath}`;
  const count = await center.send('two-factor-reminder', { to: user.email, tags, text }).catch(() => 0);
  if (count === 0) throw overviewErrors.sendFailed();
  return user;
}

export const twoFactorScan: Scan<OverviewUse & IssueUse> = {
  component: 'two-factor',
  path: 'two-factor/scan',
  summary: 'List administrators without two-factor authentication',
  isListed: false,
  list: findWithout,
  of: async (user) => findingOf(user),
  actions: [
    {
      name: 'remind',
      rel: 'send-2fa-reminder',
      title: 'Remind User',
      summary: 'Remind a user to set up two-factor authentication',
      run: remind,
    },
  ],
};

/** For other parts; nothing is required while the module is off. */
export async function factsOf(factors: Factors, users: readonly User[]): Promise<ReadonlyMap<number, TwoFactorFact>> {
  const have = factors.isOn() ? await factors.withMethod(users) : new Set<number>();
  const facts = new Map<number, TwoFactorFact>();
  for (const user of users)
    facts.set(user.id, {
      isSetUp: have.has(user.id),
      isRequired: await factors.isRequired(user),
      isKept: await factors.isKept(user),
    });
  return facts;
}

export const twoFactorAdditions: UserAddition<OverviewUse> = {
  fields: {
    secsuite_2fa: userField({
      schema: t.nullable(t.choice(['enabled', 'not-enabled', 'enforced-not-configured']), { context: ['edit'] }),
      of: async (users, asker, use: OverviewUse) => {
        if (!isManaging(asker, use)) return new Map();
        const facts = await factsOf(use.twoFactor, users);
        return new Map([...facts].map(([id, fact]) => [id, twoFactorStatus(fact)]));
      },
    }),
  },
  filters: {
    secsuite_2fa: userFilter({
      schema: t.choice(['enabled', 'not-enabled']),
      where: (wanted, asker, use: OverviewUse) => {
        if (!isManaging(asker, use)) return undefined;
        const have = use.twoFactor.isOn() ? use.twoFactor.methodCondition() : sql<SqlBool>`1 = 0`;
        return wanted === 'enabled' ? have : sql<SqlBool>`not (${have})`;
      },
    }),
  },
};
