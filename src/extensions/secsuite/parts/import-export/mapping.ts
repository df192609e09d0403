// How users, roles and folders of an export become those of this site.
import type { Users } from '#site/identity/users/users.ts';
import type { RoleReference, TransferSource, UserReference } from '../../transfer.ts';
import type { ExportDocument } from './document.ts';

/** `true`: by email address or slug; a map: what it names; `false`: nobody. */
export type UserMap = boolean | Readonly<Record<string, number>>;
export type RoleMap = boolean | Readonly<Record<string, string>>;

export interface Maps {
  readonly users: UserMap;
  readonly roles: RoleMap;
}

interface KnownRoles {
  has(name: string): boolean;
  labelOf(name: string): string;
}

interface MappingDeps {
  readonly users: Pick<Users, 'list' | 'named'>;
  readonly roles: KnownRoles;
  /** The data folder. */
  readonly data: string;
}

/** With the users, roles and folders of this site. */
export async function transformed(
  document: ExportDocument,
  maps: Maps,
  sources: readonly TransferSource[],
  { users, roles, data }: MappingDeps,
): Promise<ExportDocument> {
  const payloads: Record<string, unknown> = { ...document.sources };
  const people = createUserMapping(users, maps.users);
  for (const { slug, transform, relocate } of sources) {
    if (!Object.hasOwn(payloads, slug)) continue;
    const withUsers = await mappedAtAll(payloads[slug], transform?.users, (one) => people(one as UserReference));
    const payload = await mappedAtAll(withUsers, transform?.roles, async (one) =>
      roleFor(roles, maps.roles, one as RoleReference),
    );
    payloads[slug] = relocate ? relocate(payload, document.metadata.abspath, data) : payload;
  }
  return { ...document, sources: payloads };
}

type Change = (value: unknown) => Promise<unknown>;

/** Of a list, what becomes of nothing is dropped; in any other place an empty object stands for it. */
export async function mappedAt(value: unknown, path: readonly string[], change: Change): Promise<unknown> {
  const [name, ...rest] = path;
  if (name === undefined) return changed(value, change);
  if (name === '*') {
    if (!Array.isArray(value)) return value;
    return Promise.all(value.map((item) => mappedAt(item, rest, change)));
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const members = value as Record<string, unknown>;
  return { ...members, [name]: await mappedAt(members[name], rest, change) };
}

async function changed(value: unknown, change: Change): Promise<unknown> {
  if (Array.isArray(value)) return (await Promise.all(value.map(change))).filter((one) => one !== undefined);
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return (isEmpty ? undefined : await change(value)) ?? {};
}

async function mappedAtAll(value: unknown, paths: readonly string[] = [], change: Change): Promise<unknown> {
  let all = value;
  for (const path of paths) all = await mappedAt(all, path.split('.'), change);
  return all;
}

/** How many are looked up together. */
const atOnce = 500;

export async function usersById(
  users: Pick<Users, 'list'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, UserReference>> {
  const wanted = [...new Set(ids)];
  const found = new Map<number, UserReference>();
  for (let at = 0; at < wanted.length; at += atOnce) {
    const include = wanted.slice(at, at + atOnce);
    const order = { order: 'asc', orderBy: 'id', searchPrivate: false } as const;
    const { items } = await users.list({ include, limit: include.length, offset: 0, ...order });
    for (const { id, email, name, login } of items) found.set(id, { id, email, name: name || login });
  }
  return found;
}

/** The user of this site that one of the file stands for. */
function createUserMapping(users: Pick<Users, 'list' | 'named'>, map: UserMap) {
  const known = new Map<string, Promise<UserReference | undefined>>();
  const find = async ({ id, email }: UserReference): Promise<UserReference | undefined> => {
    if (map === false) return undefined;
    if (map === true) {
      const user = await users.named(email);
      return user?.email === email ? { id: user.id, email, name: user.name || user.login } : undefined;
    }
    const local = Object.hasOwn(map, String(id)) ? map[String(id)]! : 0;
    return local === 0 ? undefined : (await usersById(users, [local])).get(local);
  };
  return (one: UserReference): Promise<UserReference | undefined> => {
    const key = map === true ? one.email : String(one.id);
    const found = known.get(key) ?? find(one);
    known.set(key, found);
    return found;
  };
}

function roleFor(roles: KnownRoles, map: RoleMap, { slug }: RoleReference): RoleReference | undefined {
  if (map === false) return undefined;
  const local = map === true ? slug : Object.hasOwn(map, slug) ? map[slug]! : '';
  return roles.has(local) ? { slug: local, label: roles.labelOf(local) } : undefined;
}
