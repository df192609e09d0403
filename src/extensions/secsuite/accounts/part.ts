// Accounts of users: when they were last seen, and what the suite adds to their records for security managers.
import { type SqlBool, sql } from 'kysely';
import type { Schema } from '#kernel/schema.ts';
import { t } from '#kernel/schema.ts';
import { userField, userFilter } from '#site/identity/users/additions.ts';
import { rdate } from '../base.ts';
import { part } from '../part.ts';
import type { Shared } from '../shared.ts';
import { memberCondition } from './members.ts';
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
