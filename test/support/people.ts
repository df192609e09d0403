// Who asks in a test: real users of the site, and real application passwords of theirs, made the first time they are needed.
import type { Identity } from '#site/identity/identity.ts';
import { administrator } from '#site/identity/roles.ts';
import type { NewUser, User } from '#site/identity/users/user.ts';

export interface People {
  /** Somebody new: `{ login: 'ada', roles: ['author'] }` is enough. */
  user(about: NewUser): Promise<User>;
  /** What this user, or who has this role and no other, sends to be known. The administrator is the first user of all. */
  credentials(who: User | string): Promise<Record<string, string>>;
}

export function peopleOf({ users, applicationPasswords, roles }: Identity): People {
  const user = (about: NewUser): Promise<User> => users.add({ email: `${about.login}@site.test`, ...about });
  const holding = once(async (role: string): Promise<User> => {
    if (!roles.has(role)) throw new Error(`There is no role ${role} here.`);
    if (role !== administrator) await holding(administrator);
    return user({ login: role, roles: [role] });
  });
  const basic = once(async (id: number): Promise<Record<string, string>> => {
    const holder = await users.get(id);
    const { password } = await applicationPasswords.add(holder, { name: 'test' });
    return { authorization: basicOf(holder.login, password) };
  });
  const credentials = async (who: User | string) => basic((typeof who === 'string' ? await holding(who) : who).id);
  return { user, credentials };
}

export const basicOf = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** Made the first time it is asked for, also when several ask at once. */
function once<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
