// The user search of other extensions: it shows each caller what the list of users would show, one part at a time.
import { type SqlBool, sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { reading } from '#kernel/reading.ts';
import type { Authors } from '#site/content/authors/authors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Core } from '../core.ts';
import { listArgs, wantedOf } from './listing.ts';
import { userRules } from './rules.ts';
import { type UserSearch, whoPublished } from './shown-users.ts';

export function createUserSearch(tools: Toolkit<Core>, users: Pick<Users, 'list'>, authors: Authors): UserSearch {
  const read = reading(listArgs(tools));
  const { mayList } = userRules(tools);
  return {
    async found(query, asker, { after, most }) {
      const args = read(query, asker);
      const verdict = await mayList.allow(asker, undefined, args);
      if (verdict instanceof Problem) throw verdict;
      const { published, ...wanted } = wantedOf(args, asker);
      const later = sql<SqlBool>`users.id > ${after}`;
      const shown = whoPublished(authors, published, asker);
      const also = shown === undefined ? later : sql<SqlBool>`${later} and ${shown}`;
      const part = { limit: most, offset: 0, orderBy: 'id', order: 'asc' } as const;
      return (await users.list({ ...wanted, ...part, also })).items;
    },
  };
}
