// Ways of asking a route: as somebody, about a record that is their own or another's, with arguments that rules look at.
import type { Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Entry, Group } from '#kernel/table.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Client, TestSite } from '#test/site.ts';
import { type Args, asRole, made, neededBy, nobody, type Paths, standingAt, statesOf, unlike } from './arranged.ts';

/** One way of asking. */
export interface Attempt {
  /** In words, for the person who reads about a failure. */
  readonly about: string;
  readonly client: Client;
  readonly path: Paths;
  readonly args: Args;
}

/** Where every record is a user, or belongs to one: who asks may lose their account by it, so each time somebody new does. */
const isOfUsers = ({ pattern }: Group): boolean => pattern.text.startsWith('/core/v2/users/');

const somebody = (site: TestSite, role: string): Promise<User> =>
  site.user({ login: unlike.username!(), roles: [role] });

async function pathsOf({ app }: TestSite, user: User): Promise<Paths> {
  const { uuid } = await app.services.identity.applicationPasswords.add(user, { name: 'a program' });
  return { id: String(user.id), user_id: String(user.id), uuid };
}

/** A record that the path names, whosever it is; nothing where none can be made. */
export async function somethingAt(site: TestSite, group: Group): Promise<Paths> {
  if (!isOfUsers(group)) return (await made(site, group, 'administrator')) ?? {};
  return group.pattern.names.length === 0 ? {} : pathsOf(site, await somebody(site, 'administrator'));
}

/** The arguments that rules look at: each choice of the context. */
const choices = ({ args }: Route): Record<string, unknown>[] => {
  const { context } = (args ?? {}) as { context?: Schema };
  return (context?.enum ?? [undefined]).map((value) => (value === undefined ? {} : { context: value }));
};

/** Every way of asking worth trying; a record is made anew where an attempt may take it away, and kept where one only looks. */
export async function attempts(site: TestSite, group: Group, { route }: Entry, role: string): Promise<Attempt[]> {
  const found: Attempt[] = [];
  const maker = route.methods.every((method) => method === 'GET') ? kept : made;
  for (const args of choices(route)) {
    const said = args.context === undefined ? '' : ` as ${args.context}`;
    const ways = isOfUsers(group) ? await aboutUsers(site, group, role) : await aboutRecords(site, group, role, maker);
    const needed = route.methods.includes('POST') ? await neededBy(group, site) : {};
    found.push(...ways.map((way) => ({ ...way, about: `${way.about}${said}`, args: { ...needed, ...args } })));
  }
  return found;
}

type Way = Omit<Attempt, 'args'>;

type Make = typeof made;

const looked = new WeakMap<Group, Map<string, Promise<Paths | undefined>>>();

/** The record that was made when this was asked for first; each pattern of a site has its own. */
const kept: Make = (site, group, role, said = {}) => {
  const known = looked.get(group) ?? new Map<string, Promise<Paths | undefined>>();
  looked.set(group, known);
  const key = JSON.stringify([role, said]);
  const record = known.get(key) ?? made(site, group, role, said);
  known.set(key, record);
  return record;
};

async function aboutRecords(site: TestSite, group: Group, role: string, make: Make): Promise<Way[]> {
  const client = asRole(site, role);
  const there = standingAt(group).map((path) => ({ about: Object.values(path).join(), client, path }));
  if (there.length > 0) return there;
  const ways: Way[] = [];
  for (const [whose, owner] of [
    ["one's own", role],
    ["another's", 'administrator'],
  ] as const)
    for (const status of [undefined, ...statesOf(site, group)]) {
      const path = await make(site, group, owner, status === undefined ? {} : { status });
      if (path !== undefined) ways.push({ about: [whose, status ?? 'new'].join(', '), client, path });
    }
  return ways.length > 0 ? ways : [{ about: 'any', client, path: {} }];
}

async function aboutUsers(site: TestSite, group: Group, role: string): Promise<Way[]> {
  const others = { about: "another's", path: await pathsOf(site, await somebody(site, 'subscriber')) };
  if (role === nobody) return [{ ...others, client: site }];
  const [asker, other] = [await somebody(site, role), await somebody(site, role)];
  const own = { about: "one's own", client: site.asUser(asker), path: await pathsOf(site, asker) };
  return group.pattern.names.length === 0 ? [own] : [own, { ...others, client: site.asUser(other) }];
}
