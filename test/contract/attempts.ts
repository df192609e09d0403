// Ways of asking a route: as somebody, about a record that is their own or another's, with arguments that rules look at.
import { isRequired } from '#kernel/args/settle.ts';
import type { Method, Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Entry, Group } from '#kernel/table.ts';
import type { User } from '#site/identity/users/user.ts';
import { sample, samplePath } from '#test/sample.ts';
import type { Answer, Client, TestSite } from '#test/site.ts';

export const nobody = 'nobody';

/** One way of asking. */
export interface Attempt {
  /** In words, for the person who reads about a failure. */
  readonly about: string;
  readonly client: Client;
  readonly path: Paths;
  readonly args: Readonly<Record<string, unknown>>;
}

type Paths = Readonly<Record<string, string>>;

/** Values of which there may be no two alike. */
let count = 0;
const unlike: Readonly<Record<string, () => string>> = {
  username: () => `user-${++count}`,
  email: () => `user-${++count}@site.test`,
  name: () => `word-${++count}`,
};

/** What is said of an argument although it need not be said: without it the answer is that this cannot be done. */
const meant: Readonly<Record<string, unknown>> = { force: true };

/** Every argument that must be sent, and these. */
export function argsOf(route: Route, names: readonly string[], more: object = {}): Record<string, unknown> {
  const needed = Object.entries((route.args ?? {}) as Record<string, Schema>).filter(
    ([name, schema]) => !names.includes(name) && (isRequired(schema, false) || name in meant),
  );
  const value = (name: string, schema: Schema): unknown => meant[name] ?? unlike[name]?.() ?? sample(schema);
  return { ...Object.fromEntries(needed.map(([name, schema]) => [name, value(name, schema)])), ...more };
}

export function send(group: Group, { route }: Entry, method: Method, attempt: Attempt): Promise<Answer> {
  const { client } = attempt;
  const path = `/api${samplePath(group.pattern.text, attempt.path)}`;
  const payload = route.payload === undefined ? {} : sample(route.payload as Schema);
  const args = argsOf(route, group.pattern.names, attempt.args);
  if (method === 'GET') return client.get(`${path}?${query(args)}`);
  const body = Array.isArray(payload) || typeof payload !== 'object' ? payload : { ...(payload as object), ...args };
  return client.request(method, path, { body });
}

const query = (args: Record<string, unknown>): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`)
    .join('&');

/** Where every record is a user, or belongs to one: who asks may lose their account by it, so each time somebody new does. */
const isOfUsers = ({ pattern }: Group): boolean => pattern.text.startsWith('/core/v2/users/');

const somebody = (site: TestSite, role: string): Promise<User> =>
  site.user({ login: unlike.username!(), roles: [role] });

async function pathsOf({ app }: TestSite, user: User): Promise<Paths> {
  const { uuid } = await app.services.identity.applicationPasswords.add(user, { name: 'a program' });
  return { id: String(user.id), user_id: String(user.id), uuid };
}

/** The collection whose records a path names, when they can be made through the interface. */
function collectionOf(site: TestSite, { pattern }: Group): { group: Group; entry: Entry; name: string } | undefined {
  const name = pattern.names.length === 1 ? pattern.names[0]! : undefined;
  const parent = pattern.text.slice(0, pattern.text.lastIndexOf('/(?P<'));
  const group = site.app.table.groups.find((one) => one.pattern.text === parent);
  const entry = group?.entries.find((one) => one.route.methods.includes('POST') && one.route.resource !== undefined);
  return name === undefined || group === undefined || entry === undefined ? undefined : { group, entry, name };
}

const asRole = (site: TestSite, role: string): Client => (role === nobody ? site : site.as(role));

/** A new record of this role's making, as the path names it; nothing when the role may not make one. */
export async function made(site: TestSite, group: Group, role: string): Promise<Paths | undefined> {
  if (isOfUsers(group)) return group.pattern.names.length === 0 ? {} : pathsOf(site, await somebody(site, role));
  const collection = collectionOf(site, group);
  if (collection === undefined) return undefined;
  const attempt = { about: '', client: asRole(site, role), path: {}, args: {} };
  const { status, body } = await send(collection.group, collection.entry, 'POST', attempt);
  return status === 201 ? { [collection.name]: String(body.id) } : undefined;
}

/** The arguments that rules look at: each choice of the context. */
const choices = ({ args }: Route): Record<string, unknown>[] => {
  const { context } = (args ?? {}) as { context?: Schema };
  return (context?.enum ?? [undefined]).map((value) => (value === undefined ? {} : { context: value }));
};

/** Every way of asking worth trying; each record is made anew, since an attempt may take it away. */
export async function attempts(site: TestSite, group: Group, { route }: Entry, role: string): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const args of choices(route)) {
    const said = args.context === undefined ? '' : ` as ${args.context}`;
    const ways = isOfUsers(group) ? await aboutUsers(site, group, role) : await aboutRecords(site, group, role);
    found.push(...ways.map((way) => ({ ...way, about: `${way.about}${said}`, args })));
  }
  return found;
}

type Way = Omit<Attempt, 'args'>;

async function aboutRecords(site: TestSite, group: Group, role: string): Promise<Way[]> {
  const client = asRole(site, role);
  const [own, other] = [await made(site, group, role), await made(site, group, 'administrator')];
  if (own === undefined && other === undefined) return [{ about: 'any', client, path: {} }];
  return [
    ...(own === undefined ? [] : [{ about: "one's own", client, path: own }]),
    ...(other === undefined ? [] : [{ about: "another's", client, path: other }]),
  ];
}

async function aboutUsers(site: TestSite, group: Group, role: string): Promise<Way[]> {
  const others = { about: "another's", path: await pathsOf(site, await somebody(site, 'subscriber')) };
  if (role === nobody) return [{ ...others, client: site }];
  const [asker, other] = [await somebody(site, role), await somebody(site, role)];
  const own = { about: "one's own", client: site.asUser(asker), path: await pathsOf(site, asker) };
  return group.pattern.names.length === 0 ? [own] : [own, { ...others, client: site.asUser(other) }];
}
