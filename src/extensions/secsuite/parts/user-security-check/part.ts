// Accounts with many rights that nobody has used for long.

import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { defineError, Problem } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import { administrator } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { type Finding, type IssueUse, issueRoutes } from '../../accounts/issue-routes.ts';
import { rdate } from '../../base.ts';
import { canonicalOf } from '../../groups/canonical.ts';
import type { Module } from '../../module.ts';
import type { Center } from '../../notifications/center.ts';
import { part } from '../../part.ts';

const userSecurityCheck: Module = {
  id: 'user-security-check',
  type: 'site-check',
  standing: 'always-active',
  title: 'Unused accounts',
  description:
    'Finds administrators and editors who have not used the site for 30 days. Security managers receive an email and can remove the rights.',
};

const errors = {
  cannotDemote: defineError(
    400,
    'secsuite_cannot_demote_user',
    'You cannot demote yourself or the last administrator. Make another user an administrator first.',
  ),
};

export type InactiveUsers = ReturnType<typeof createInactiveUsers>;

/** An account that was not used for this long counts as unused. */
const unusedAfter = 30 * day;

type InactiveDeps = Pick<Services, 'identity' | 'clock' | 'about'> & {
  readonly accounts: Accounts;
  readonly center: Pick<Center, 'writes'>;
};

function createInactiveUsers({ identity, clock, about, accounts, center }: InactiveDeps) {
  const { users, roles, rights, doing }: Pick<Identity, 'users' | 'roles' | 'rights' | 'doing'> = identity;
  /** Users who were seen, but not within this time. */
  const unused = async (): Promise<{ readonly user: User; readonly at: number }[]> => {
    const all = await accounts.holders(accounts.rolesAt('administrator', 'editor'));
    const seen = await accounts.lastSeen(all);
    const since = clock().getTime() - unusedAfter;
    return all.map((user) => ({ user, at: Date.parse(seen.get(user.id) ?? '') })).filter(({ at }) => at <= since);
  };
  center.writes('inactive-users', async (since) => {
    const found = await unused();
    const muted = await accounts.muted(
      'inactive-users',
      found.map(({ user }) => user),
    );
    const loud = found.filter(({ user }) => !muted.has(user.id));
    if (!loud.some(({ at }) => at + unusedAfter > since.getTime())) return undefined;
    const { url } = await about();
    return { text: mailText(loud, url) };
  });
  const isLow = (role: string): boolean => {
    const level = canonicalOf(roles.capabilitiesOf([role]));
    return level !== 'administrator' && level !== 'editor';
  };
  const mayDemote = (user: User, caller: Caller): boolean => user.id !== caller.id && rights.mayPromote(caller, user);
  return {
    unused,
    find: async (): Promise<Finding[]> => (await unused()).map(({ user, at }) => findingOf(user, at)),
    async of(user: User): Promise<Finding> {
      const at = (await accounts.lastSeen([user])).get(user.id);
      return findingOf(user, at === undefined ? undefined : Date.parse(at));
    },
    canDemote: (user: User, caller: Caller): boolean => mayDemote(user, caller) && !user.roles.every(isLow),
    /** Takes roles of administrators and editors away, and makes the user an author. */
    async demote(user: User, caller: Caller): Promise<User> {
      if (user.id === caller.id) throw errors.cannotDemote();
      if (!mayDemote(user, caller)) throw kernelErrors.forbidden('change the roles of this user');
      // An account without such a role would gain rights as an author.
      if (user.roles.every(isLow)) return user;
      const author = accounts.rolesAt('author').find((role) => role === 'author') ?? accounts.rolesAt('author')[0];
      const left = [...new Set([...user.roles.filter(isLow), ...(author === undefined ? [] : [author])])];
      const wasLast = user.roles.includes(administrator);
      const judge = doing(credentialOf(caller), (asker, target = user) => {
        if (!rights.mayPromote(asker, target)) throw kernelErrors.forbidden('change the roles of this user');
      });
      return users.change(user, { roles: left }, judge).catch((error) => {
        throw wasLast && isRefusedRole(error) ? errors.cannotDemote() : error;
      });
    },
  };
}

const isRefusedRole = (error: unknown): boolean => error instanceof Problem && error.code === 'rest_user_invalid_role';

const findingOf = (user: User, at: number | undefined): Finding => ({
  user,
  severity: 'low',
  description:
    at === undefined
      ? 'The last use of this account is not known.'
      : `This account was last used on ${rdate(new Date(at)).slice(0, 10)}. If it is not needed, remove its rights.`,
  meta: { roles: [...user.roles] },
});

function mailText(all: readonly { readonly user: User; readonly at: number }[], url: string): string {
  const lines = all.map(
    ({ user, at }) => `- ${user.name} (${user.login}), last used on ${rdate(new Date(at)).slice(0, 10)}`,
  );
  return [
    'These accounts have many rights on your site and were not used for 30 days or more:',
    lines.join('\n'),
    'Attackers can use forgotten accounts. Remove the rights of accounts that are no longer needed.',
    `Your site:\n${url}`,
    'You get this email because you manage the security of the site.',
  ].join('\n\n');
}

interface Use extends IssueUse {
  readonly inactiveUsers: InactiveUsers;
}

export const userSecurityCheckPart = part({
  name: 'user-security-check',
  modules: [userSecurityCheck],
  errors,
  notifications: [
    {
      slug: 'inactive-users',
      module: 'user-security-check',
      recipient: 'user-list',
      schedule: { min: 'daily', max: 'monthly', default: 'daily' },
      label: 'Unused accounts',
      description: 'Lists accounts with many rights that were not used for 30 days.',
      subject: 'Unused accounts',
      optional: true,
    },
  ],
  make: (services, { accounts, center }) => ({
    inactiveUsers: createInactiveUsers({ ...services, accounts, center }),
  }),
  routes: ({ tools, gate }) => ({
    v1: issueRoutes<Use>(tools, gate, {
      component: 'inactive-users',
      path: 'user-security-check/inactive-users-scan',
      summary: 'List administrators and editors who have not used the site for 30 days',
      isListed: false,
      meta: { type: 'object', properties: { roles: { type: 'array', items: { type: 'string' } } } },
      list: ({ inactiveUsers }) => inactiveUsers.find(),
      of: (user, { inactiveUsers }) => inactiveUsers.of(user),
      actions: [
        {
          name: 'demote',
          rel: 'demote-user',
          title: 'Demote User',
          summary: 'Remove the rights of an administrator or editor',
          isOffered: (user, caller, { inactiveUsers }) => inactiveUsers.canDemote(user, caller),
          run: (user, caller, { inactiveUsers }) => inactiveUsers.demote(user, caller),
        },
      ],
    }),
  }),
});
