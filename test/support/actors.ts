// Users for a test that spoils whatever it meets: those it acts as are replaced when it takes something from them, and there
// is always another user whom it may spoil.
import { credentialOf } from '#site/identity/credential.ts';
import type { User } from '#site/identity/users/user.ts';
import type { TestSite } from './site.ts';

export interface Actors {
  /** What somebody sends who has this role, and nothing else to their name. */
  credentials(role: string | undefined): Promise<Record<string, string>>;
  /** What the groups of this pattern may be filled with, so that there is something at that path. */
  recordAt(pattern: string): Promise<Record<string, string>>;
  /** How often somebody had to be made anew; what is stored has changed since. */
  readonly made: number;
  /** What no answer may hold. */
  readonly secrets: readonly string[];
}

export function actorsOf(site: TestSite): Actors {
  const { users, applicationPasswords, sessions } = site.app.services.identity;
  const acting = new Map<string, User>();
  const secrets: string[] = [];
  let made = 0;
  let victim: User | undefined;

  const stands = async (user: User, role: string): Promise<boolean> => {
    const caller = await site.callerWith(await site.credentials(user)).catch(() => undefined);
    const known = caller && credentialOf(caller);
    return known !== undefined && known.user.roles.join() === role;
  };
  const actor = async (role: string): Promise<User> => {
    const known = acting.get(role);
    if (known !== undefined && (await stands(known, role))) return known;
    made += 1;
    const user = await site.user({ login: `${role}-${made}`, roles: [role] });
    acting.set(role, user);
    // The first use of a credential is written down, and no refused request is to be blamed for that.
    await site.asUser(user).get('/api/?_fields=name');
    return user;
  };
  const spoilable = async (): Promise<User> => {
    if (victim !== undefined && (await users.find(victim.id)) !== undefined) return victim;
    made += 1;
    victim = await site.user({
      login: `victim-${made}`,
      roles: ['author'],
      password: `the password of victim ${made}`,
    });
    const { cookie } = (await sessions.start(victim, true, { address: '192.0.2.1', agent: 'test' }))!;
    secrets.push(cookie);
    return victim;
  };
  const programOf = async (user: User): Promise<string> => {
    const [known] = await applicationPasswords.list(user);
    if (known !== undefined) return known.uuid;
    made += 1;
    return (await applicationPasswords.add(user, { name: 'spoilt' })).uuid;
  };
  return {
    credentials: async (role) => (role === undefined ? {} : site.credentials(await actor(role))),
    recordAt: async (pattern): Promise<Record<string, string>> => {
      if (!pattern.startsWith('/core/v2/users/')) return { id: '1' };
      const user = await spoilable();
      const uuid = pattern.includes('<uuid>') ? await programOf(user) : '';
      return { id: String(user.id), user_id: String(user.id), uuid };
    },
    get made() {
      return made;
    },
    secrets,
  };
}
