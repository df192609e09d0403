// Accounts of users: when they were last seen, and what the suite adds to their records for security managers.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '#kernel/schema.ts';
import { t } from '#kernel/schema.ts';
import type { Roles } from '#site/identity/roles.ts';
import { userField, userFilter } from '#site/identity/users/additions.ts';
import { rdate } from '../base.ts';
import { type Canonical, canonicalNames, canonicalOf, isAtLeast, isCanonical } from '../groups/canonical.ts';
import type { Group } from '../groups/group.ts';
import { part } from '../part.ts';
import type { Shared } from '../shared.ts';
import { accountMigrations, accountTables } from './tables.ts';
import { isManaging, isWithin, spanSchema } from './user-filters.ts';

const editOnly = { context: ['edit'] } as const;
export const accountsPart = part({
  name: 'accounts',
  tables: {
    migrations: accountMigrations,
    quiet: ['secsuite_accounts_seen'],
    users: Object.fromEntries(accountTables.map((table) => [table, ['user_id']])),
  },
  guards: ({ accounts }) => [
    {
      whenFailing: 'open',
      onCaller: (_, { user }) => (user === undefined ? undefined : accounts.seen(user)?.then(() => undefined)),
    },
  ],
  extendsUsers: {
    fields: {
      secsuite_last_seen: userField({
        schema: t.nullable(t.string({ format: 'date-time' }), editOnly),
        of: async (users, _, { accounts }: Pick<Shared, 'accounts'>) => {
          const seen = await accounts.lastSeen(users);
          return new Map([...seen].map(([id, at]) => [id, rdate(at)]));
        },
      }),
      secsuite_edit_user_link: userField({
        schema: t.nullable(t.string({ format: 'uri' }), editOnly),
        of: async (users, asker, use: Pick<Shared, 'manage' | 'hrefOf'>) =>
          new Map(
            isManaging(asker, use) ? users.map(({ id }) => [id, use.hrefOf('neutral', `/core/v2/users/${id}`)]) : [],
          ),
      }),
    },
    filters: {
      secsuite_user_groups: userFilter({
        schema: t.list(t.string({ format: 'uuid' }), { maxItems: 100 } satisfies Schema),
        where: async (ids, asker, use: Pick<Shared, 'manage' | 'groups' | 'roles'>) => {
          if (!isManaging(asker, use)) return undefined;
          const all = (await use.groups.list()).filter(({ id }) => ids.includes(id));
          return memberCondition(all, use.roles);
        },
      }),
      secsuite_last_seen: userFilter({
        schema: spanSchema(),
        where: (span, asker, use: Pick<Shared, 'manage'>) =>
          isManaging(asker, use)
            ? sql<SqlBool>`users.id in (select user_id from secsuite_accounts_seen where ${isWithin(sql`seen_at`, span)})`
            : undefined,
      }),
    },
  },
  on: { 'user.deleted': ({ user }, { accounts }) => accounts.forget(user) },
});

type Condition = RawBuilder<SqlBool>;

const nobody = sql<SqlBool>`1 = 0`;

const holds = (roles: readonly string[]): Condition =>
  roles.length === 0
    ? nobody
    : sql<SqlBool>`exists (select 1 from user_roles where user_id = users.id and role in (${sql.join(roles)}))`;

/** Users who belong to any of these groups, as a condition on `users`. */
function memberCondition(groups: readonly Group[], roles: Roles): Condition {
  const rolesWith = (isWanted: (level: Canonical) => boolean): string[] =>
    roles.names.filter((name) => {
      const level = canonicalOf(roles.capabilitiesOf([name]));
      return level !== undefined && isWanted(level);
    });
  /** The highest role of a user decides at which level they are. */
  const isAt = (level: Canonical): Condition => {
    const above = rolesWith((other) => other !== level && isAtLeast(other, level));
    return sql<SqlBool>`(${holds(rolesWith((other) => other === level))} and not ${holds(above)})`;
  };
  const all = groups.flatMap(({ users, roles: named, canonical, min_role }): Condition[] => [
    ...(users.length > 0 ? [sql<SqlBool>`users.id in (${sql.join(users)})`] : []),
    ...(named.length > 0 ? [holds(named)] : []),
    ...canonicalNames.filter((level) => canonical.includes(level)).map(isAt),
    ...(isCanonical(min_role) ? [holds(rolesWith((level) => isAtLeast(level, min_role)))] : []),
  ]);
  return all.length === 0 ? nobody : sql<SqlBool>`(${sql.join(all, sql` or `)})`;
}
