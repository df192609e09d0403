// What those are called who ban: people by the name they have now, and reasons for lockouts.
import type { Users } from '#site/identity/users/users.ts';
import type { Actor } from './bans.ts';
import type { LabelOf } from './record.ts';

interface Needs {
  readonly users: Pick<Users, 'list'>;
  /** Also of a reason that nobody knows any more. */
  lockoutLabel(id: string): string;
}

export function createLabels({ users, lockoutLabel }: Needs): (actors: readonly Actor[]) => Promise<LabelOf> {
  return async (actors) => {
    const ids = actors.filter(isUser).map(({ id }) => Number(id));
    const include = [...new Set(ids)];
    const wanted = {
      include,
      limit: include.length,
      offset: 0,
      order: 'asc',
      orderBy: 'id',
      searchEmails: false,
    } as const;
    const { items } = include.length === 0 ? { items: [] } : await users.list(wanted);
    const names = new Map(items.map(({ id, name, login }) => [String(id), name || login]));
    return ({ type, id }) => (type === 'user' ? names.get(id) : lockoutLabel(id));
  };
}

const isUser = ({ type, id }: Actor): boolean => type === 'user' && /^[1-9]\d{0,14}$/.test(id);
