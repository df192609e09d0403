// Users who belong to any of these groups, as a condition on `users`.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Roles } from '#site/identity/roles.ts';
import { type Canonical, canonicalNames, canonicalOf, isAtLeast, isCanonical } from '../groups/canonical.ts';
import type { Group } from '../groups/group.ts';

type Condition = RawBuilder<SqlBool>;

const nobody = sql<SqlBool>`1 = 0`;

const holds = (roles: readonly string[]): Condition =>
  roles.length === 0
    ? nobody
    : sql<SqlBool>`exists (select 1 from user_roles where user_id = users.id and role in (${sql.join(roles)}))`;

export function memberCondition(groups: readonly Group[], roles: Roles): Condition {
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
