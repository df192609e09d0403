// Users with what their records show, for whoever looks.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Authors } from '#site/content/authors/authors.ts';
import { contentErrors } from '#site/content/errors.ts';
import { credentialOf } from '#site/identity/credential.ts';
import { identityErrors } from '#site/identity/errors.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { Rights } from '#site/identity/rights.ts';
import type { Roles } from '#site/identity/roles.ts';
import { noUserExtra, type UserAsker, type UserExtra } from '#site/identity/users/additions.ts';
import type { Wanted } from '#site/identity/users/list.ts';
import type { NewUser, Profile, User } from '#site/identity/users/user.ts';
import type { About, AboutNow } from '#site/platform/about.ts';
import type { Origin } from '#site/platform/events.ts';
import { coreErrors } from '../errors.ts';

export const preferencesKey = 'persisted_preferences';

export type ShownUsers = ReturnType<typeof createShownUsers>;

/** Besides what the noun knows: whether only those who have published something are wanted, and of which types. */
export interface Asked extends Omit<Wanted, 'also'> {
  readonly published: boolean | readonly string[];
}

type Needed = Pick<Identity, 'users' | 'roles' | 'rights' | 'doing' | 'signIn'>;

/** What proves that a browser is still in the hands of whoever signed in. */
export interface Proof {
  readonly password: string | undefined;
  readonly from: Origin;
}

/** What a list of users is narrowed by, where only those are wanted who have published something that this caller may know of. */
export function whoPublished(authors: Authors, published: Asked['published'], caller: Asker) {
  if (published === false) return undefined;
  const types = published === true ? undefined : published;
  return caller.can('list_users') ? authors.published(types) : authors.publishedOpenly(types);
}

/** Changes when extensions are turned on and off. */
export interface AddedToUsers {
  now: UserExtra;
}

/** `caller` with the user that the credential is of. */
export const askerOf = (caller: Caller): UserAsker => ({
  id: caller.id,
  can: (capability) => caller.can(capability),
  user: credentialOf(caller)?.user,
});

/** How a record is looked at: what extensions add is loaded if the context shows it. */
export interface UserLook {
  readonly caller: Caller;
  readonly editing: boolean;
  wants(member: string): boolean;
}

const nothingAdded = { preferences: undefined, added: {}, addedMeta: {} } as const;

export function createShownUsers(
  identity: Needed,
  about: AboutNow,
  authors: Authors,
  added: AddedToUsers = { now: noUserExtra },
) {
  const { users, roles, rights, doing } = identity;
  const demandProof = createDemandProof(identity);
  const toOthers = async (user: User): Promise<ShownUser> => {
    const basis: Basis = { site: await about(), roles, rights };
    return { ...user, basis, ...nothingAdded, hasPublished: () => authors.hasPublished(user.id) };
  };

  /** One's own preferences are nobody else's to see. */
  const seen = async (user: User, caller: Caller): Promise<ShownUser> =>
    user.id === caller.id
      ? { ...(await toOthers(user)), preferences: (await users.metaOf(user))[preferencesKey] }
      : toOthers(user);

  return {
    /** For the rules; nobody has looked yet. */
    get: async (id: number): Promise<ShownUser> => toOthers(await users.get(id)),

    seen,
    withAdded: createWithAdded(added),
    async own(caller: Caller): Promise<ShownUser> {
      if (caller.id === 0) throw identityErrors.notLoggedIn();
      return seen(await users.get(caller.id), caller);
    },

    async list({ published, ...wanted }: Asked, sent: Readonly<Record<string, unknown>>, caller: Caller) {
      const also = both(whoPublished(authors, published, caller), await added.now.condition(sent, askerOf(caller)));
      const { items, total } = await users.list({ ...wanted, ...(also && { also }) });
      const shown = await Promise.all(items.map((user) => seen(user, caller)));
      // Whoever is in the list has, unless who asks sees everybody anyway.
      return { total, items: shown.map((user) => ({ ...user, hasPublished: () => true })) };
    },

    async add(user: NewUser, caller: Caller): Promise<ShownUser> {
      const judge = (asker: Asker): void => {
        if (!asker.can('create_users')) throw identityErrors.cannotCreateUser();
        if (user.roles !== undefined) rights.demandGivable(asker, undefined, user.roles);
      };
      judge(caller);
      return toOthers(await users.add(user, doing(credentialOf(caller), judge)));
    },

    async change(
      user: User,
      { login, ...changes }: Partial<Profile> & { login?: string },
      caller: Caller,
      proof: Proof,
    ) {
      if (login !== undefined && login !== user.login) throw coreErrors.userInvalidArgument();
      const judge = (asker: Asker, target = user): void => {
        if (!rights.mayEdit(asker, target)) throw contentErrors.cannotEdit('edit this user');
        if (changes.roles !== undefined) rights.demandGivable(asker, target, changes.roles);
      };
      judge(caller, user);
      await demandProof(user, changes, caller, proof);
      const credential = credentialOf(caller);
      const keep = credential?.kind === 'session' ? { session: credential.session.id } : undefined;
      return seen(await users.change(user, changes, { keep, ...doing(credential, judge) }), caller);
    },

    async erase(user: User, reassign: number | undefined, caller: Caller): Promise<ShownUser> {
      const judge = (asker: Asker, target = user): void => {
        if (rights.mayDelete(asker, target)) return;
        throw coreErrors.userCannotDelete();
      };
      return toOthers(await users.erase(user, reassign, doing(credentialOf(caller), judge)));
    },
  };
}

/**
 * A session is easily left open or stolen, and an application password can be revoked, which what it took over could not. So what would
 * take over an account asks for the password, as `/account` does. Apps that manage other users need none for those.
 */
const createDemandProof =
  ({ signIn }: Pick<Needed, 'signIn'>) =>
  async (user: User, { password, email }: Partial<Profile>, caller: Caller, proof: Proof): Promise<void> => {
    const credential = credentialOf(caller);
    const isTakingOver = password !== undefined || (email !== undefined && !isSameEmail(email, user.email));
    const isApp = credential?.kind === 'application_password';
    if (!isTakingOver || (credential?.kind !== 'session' && !(isApp && user.id === caller.id))) return;
    if (proof.password === undefined || proof.password === '') throw coreErrors.currentPasswordRequired();
    if (!(await signIn.proves(credential.user, proof.password, proof.from)))
      throw coreErrors.currentPasswordIncorrect();
  };

/** Users with what extensions add to them. */
const createWithAdded =
  (added: AddedToUsers) =>
  async (shown: readonly ShownUser[], { caller, editing, wants }: UserLook): Promise<ShownUser[]> => {
    if (!editing) return [...shown];
    const values = await added.now.load(shown, askerOf(caller), wants);
    const meta = wants('meta') ? await added.now.loadMeta(shown) : new Map();
    return shown.map((user) => ({ ...user, added: values.get(user.id) ?? {}, addedMeta: meta.get(user.id) ?? {} }));
  };

/** One condition of two, either of which may be missing. */
export const both = (one: Condition, other: Condition): Condition =>
  one === undefined || other === undefined ? (one ?? other) : sql<SqlBool>`${one} and ${other}`;

type Condition = RawBuilder<SqlBool> | undefined;

const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What records of users are made and judged by. */
interface Basis {
  readonly site: About;
  readonly roles: Roles;
  readonly rights: Rights;
}

export interface ShownUser extends User {
  readonly basis: Basis;
  /** Theirs alone: nothing where somebody else looks. */
  readonly preferences: unknown;
  /** What extensions add, by field. */
  readonly added: Readonly<Record<string, unknown>>;
  /** What extensions add to its `meta`. */
  readonly addedMeta: Readonly<Record<string, unknown>>;
  /** Then everybody may see them. */
  hasPublished(): boolean | Promise<boolean>;
}

/** The site's own stands in for none. */
export const localeOf = ({ locale, basis: { site } }: ShownUser): string => locale || site.language;

/** Users with higher numbers than `after`. */
interface Part {
  readonly after: number;
  readonly most: number;
}

export interface UserSearch {
  /** As the list would by these arguments, but for its order and pages. Throws a `Problem` where it would refuse them. */
  found(query: Readonly<Record<string, unknown>>, asker: UserAsker, part: Part): Promise<User[]>;
}

declare module '#site/extension.ts' {
  interface SharedServices {
    readonly userSearch: UserSearch;
  }
}
