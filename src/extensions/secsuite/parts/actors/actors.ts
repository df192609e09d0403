// Who may have done something: people, and whatever locks people out. By what is theirs, lists of bans and the like are looked through.
import { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { fold } from '#lib/fold.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { LockoutCard } from '../../module.ts';

export interface Actor {
  readonly id: string;
  readonly label: string;
}

export interface ActorKind {
  readonly slug: string;
  readonly label: string;
  /** Whether there are so few that all of them may be told with the kind. */
  readonly isClosed: boolean;
}

export interface Actors {
  readonly kinds: readonly ActorKind[];
  search(kind: string, term: string, asker: Asker): Promise<Actor[]>;
}

interface Needs {
  readonly users: Pick<Users, 'list'>;
  /** Reasons to lock somebody out, of the modules that run now. */
  lockouts(): readonly LockoutCard[];
}

const most = 500;
/** Longer terms find nobody. */
const longest = 200;

const kinds: readonly ActorKind[] = [
  { slug: 'user', label: 'User', isClosed: false },
  { slug: 'lockout_module', label: 'Lockout module', isClosed: true },
];

export function createActors({ users, lockouts }: Needs): Actors {
  const searches: Readonly<Record<string, (term: string, asker: Asker) => Promise<Actor[]>>> = {
    async user(search, asker) {
      const searchPrivate = asker.can('list_users');
      const columns = { searchColumns: ['username', 'name', 'email'], searchPrivate } as const;
      const order = { orderBy: 'name', order: 'asc', limit: most, offset: 0 } as const;
      const { items } = await users.list({ ...columns, ...order, search });
      return items.map(({ id, name, login }) => ({ id: String(id), label: name || login }));
    },
    async lockout_module(search) {
      const sought = fold(search);
      const isFound = ({ type, label, reason }: LockoutCard): boolean =>
        [type, label, reason].some((text) => fold(text).includes(sought));
      return lockouts()
        .filter(isFound)
        .map(({ type, label }) => ({ id: type, label }));
    },
  };
  return {
    kinds,
    async search(kind, term, asker) {
      if (!Object.hasOwn(searches, kind))
        throw new Problem(404, 'secsuite_invalid_actor_type', 'There are no actors of this kind.');
      return term.length > longest ? [] : searches[kind]!(term.trim(), asker);
    },
  };
}
