// Who wrote what came along: somebody who is here already, or somebody new who cannot sign in until a password is set.
import type { Problem } from '#kernel/problem.ts';
import { contentErrors } from '../../content/errors.ts';
import { administrator } from '../../identity/roles.ts';
import type { User } from '../../identity/users/user.ts';
import type { Users } from '../../identity/users/users.ts';
import type { ArrivingOptions, Became } from './arriving.ts';
import type { Fault } from './report.ts';
import type { Run } from './run.ts';
import { faultOf } from './run.ts';
import type { TheirRecord, TheirUser } from './theirs.ts';

export interface Authors {
  users(users: readonly TheirUser[]): Promise<readonly Became[]>;
  /** The number of who is meant by a login there; nothing for nobody who is known. */
  find(login: string): Promise<number | undefined>;
  /** The same, or whose everything else is. */
  get(login: string): Promise<number>;
  /** Whether somebody here, or nobody (0), may write HTML of any kind. */
  mayWriteAny(id: number): Promise<boolean>;
  /** That a record was made. */
  wrote(record: Pick<TheirRecord, 'author' | 'line' | 'id'>): void;
  /** Who wrote records without being told of or known here, for whoever moves in. */
  strangers(): Promise<readonly Fault[]>;
  /** The number here of one there. */
  numbered(id: number): number | undefined;
}

/** Somebody by their login, and by nothing else. */
async function userHere(users: Pick<Users, 'named'>, login: string): Promise<User | undefined> {
  const user = login === '' ? undefined : await users.named(login);
  return user?.login.toLowerCase() === login.trim().toLowerCase() ? user : undefined;
}

/** Throws for somebody who is not here: what is theirs would become that of others. */
export async function demandHere(
  users: Pick<Users, 'named'>,
  { map, defaultAuthor }: Pick<ArrivingOptions, 'map' | 'defaultAuthor'>,
): Promise<void> {
  for (const [theirs, ours] of Object.entries(map))
    if ((await userHere(users, ours)) === undefined)
      throw nobody(ours, `records of ${theirs} cannot be assigned to this user`);
  if (defaultAuthor !== undefined && (await userHere(users, defaultAuthor)) === undefined)
    throw nobody(defaultAuthor, 'records cannot be assigned to this user');
}

/** Logins that are remembered: a file may name as many as it likes. */
const mostKnown = 50_000;
/** Nobody reads of more, nor of longer names. */
const most = { strangers: 200, login: 200 };

/** The first record of somebody who is not known, and how many there are. */
interface Stranger {
  readonly line: number | undefined;
  readonly id: number;
  records: number;
}

export function createAuthors({ needs: { identity, store }, options, report }: Run): Authors {
  const { users } = identity;
  const known = new Map<string, number | undefined>();
  const numbers = new Map<number, number>();
  const told = new Set<string>();
  const strangers = createStrangers();
  let fallback: number | undefined;

  const standIn = async (): Promise<number> => {
    fallback ??=
      (options.defaultAuthor && (await here(options.defaultAuthor))?.id) || (await firstAdministrator(store));
    return fallback;
  };
  const remember = (login: string, id: number | undefined): number | undefined => {
    if (known.size < mostKnown) known.set(login, id);
    return id;
  };
  const here = (login: string) => userHere(users, login);
  const mapped = async (login: string): Promise<User | undefined> =>
    Object.hasOwn(options.map, login) ? here(options.map[login]!) : undefined;

  const find = async (login: string): Promise<number | undefined> => {
    if (known.has(login)) return known.get(login);
    return remember(login, ((await mapped(login)) ?? (await here(login)))?.id);
  };

  const arrive = async (one: TheirUser): Promise<Became> => {
    const found = (await mapped(one.login)) ?? (await here(one.login)) ?? (one.email && (await users.named(one.email)));
    if (found) return { what: 'same', id: found.id };
    if (options.onlyKnown) return { what: 'skipped' };
    if (options.dryRun) return { what: 'made' };
    const { login, email, name, first_name, last_name } = one;
    const user = await users.add({ login, email, name: name || login, first_name, last_name, roles: [options.role] });
    return { what: 'made', id: user.id };
  };

  const arriveOrFail = async (one: TheirUser): Promise<Became> => {
    try {
      const { what, id } = await arrive(one);
      if (told.size < mostKnown) told.add(one.login);
      remember(one.login, id);
      if (id !== undefined && numbers.size < mostKnown) numbers.set(one.id, id);
      report.author(what === 'made' ? 'created' : 'skipped');
      return { what, id };
    } catch (error) {
      report.author('failed');
      report.fault(faultOf(error, one, one.login));
      return { what: 'failed' };
    }
  };

  return {
    find,
    numbered: (id) => numbers.get(id),
    mayWriteAny: unfilteredWriters(identity),
    get: async (login) => (await find(login)) ?? standIn(),
    wrote(record) {
      if (!told.has(record.author) && known.get(record.author) === undefined) strangers.add(record);
    },
    strangers: () => strangers.faults(async () => (await users.find(await standIn()))?.login ?? ''),
    async users(all) {
      const became: Became[] = [];
      for (const one of all) became.push(await arriveOrFail(one));
      return became;
    },
  };
}

/** Counts the records of authors who are neither here nor listed by the other site. */
function createStrangers() {
  const strangers = new Map<string, Stranger>();
  return {
    add({ author, line, id }: Pick<TheirRecord, 'author' | 'line' | 'id'>): void {
      if (author === '' || author.length > most.login) return;
      const before = strangers.get(author);
      if (before !== undefined) before.records += 1;
      else if (strangers.size < most.strangers) strangers.set(author, { line, id, records: 1 });
    },
    /** `heirLogin`: of the account that their records now belong to. */
    async faults(heirLogin: () => Promise<string>): Promise<Fault[]> {
      if (strangers.size === 0) return [];
      const heir = await heirLogin();
      return [...strangers].map(([login, one]) => strangerOf(login, one, heir));
    },
  };
}

/** Whether an account may write any HTML, remembered by its number. Nobody (0) may not. */
function unfilteredWriters({ users, roles }: Run['needs']['identity']): (id: number) => Promise<boolean> {
  const writers = new Map<number, boolean>([[0, false]]);
  return async (id) => {
    const known = writers.get(id);
    if (known !== undefined) return known;
    const user = await users.find(id);
    const may = user !== undefined && roles.capabilitiesOf(user.roles).has('unfiltered_html');
    if (writers.size < mostKnown) writers.set(id, may);
    return may;
  };
}

async function firstAdministrator({ db }: Run['needs']['store']): Promise<number> {
  const holders = db.selectFrom('user_roles').where('role', '=', administrator);
  const row = await holders.select((of) => of.fn.min<number | null>('user_id').as('id')).executeTakeFirst();
  if (row?.id == null) throw noAuthor();
  return row.id;
}

const strangerOf = (login: string, { line, id, records }: Stranger, heir: string): Fault => ({
  ...(line !== undefined && { line }),
  id,
  title: login,
  code: 'unknown_author',
  message: `This login does not exist here, and the export does not describe it. ${records === 1 ? '1 record is' : `${records} records are`} by this author, first this one; the author is now ${heir}.`,
});

const nobody = (login: string, consequence: string): Problem =>
  contentErrors.invalidAuthor().saying(`User ${login} does not exist here, so ${consequence}. Nothing was imported.`);

const noAuthor = (): Problem =>
  contentErrors
    .invalidAuthor()
    .saying('This site has no user who can be the author. Name a user with --default-author.');
