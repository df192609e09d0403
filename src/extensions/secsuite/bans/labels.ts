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
  const namesOf = createNames(users);
  return async (actors) => {
    const names = await namesOf(actors.filter(isUser).map(({ id }) => Number(id)));
    return ({ type, id }) => (type === 'user' ? names.get(Number(id)) : lockoutLabel(id));
  };
}

/** By number. */
export function createNames(users: Needs['users']): (ids: readonly number[]) => Promise<Map<number, string>> {
  return async (ids) => {
    const include = [...new Set(ids)];
    const order = { order: 'asc', orderBy: 'id', searchPrivate: false } as const;
    const wanted = { include, limit: include.length, offset: 0, ...order };
    const { items } = include.length === 0 ? { items: [] } : await users.list(wanted);
    return new Map(items.map(({ id, name, login }) => [id, name || login]));
  };
}

const isUser = ({ type, id }: Actor): boolean => type === 'user' && /^[1-9]\d{0,14}$/.test(id);
