// The noun: who is kept out for a while, why, and how they are let in again. No word of HTTP here.

import { type SqlBool, sql } from 'kysely';
import { raise } from '#kernel/problem.ts';
import type { Zone } from '#lib/wall-time.ts';
import { found } from '#site/identity/users/search.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import { addressOf, subnetOf, written } from '../addresses/block.ts';
import type { Asking, Bans } from '../bans/bans.ts';
import type { Ban } from '../bans/tables.ts';
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { Enforced } from './enforced.ts';
import type { Lock, Lockout, Reasons } from './lockout.ts';
import { type Db, release } from './rows.ts';
import { lockBy, type Strike, type Striking, type Struck } from './striking.ts';
import type { LockoutTables } from './tables.ts';
import { entriesOf } from './told.ts';

export interface Lockouts {
  find(id: number): Promise<Lockout | undefined>;
  get(id: number): Promise<Lockout>;
  /** Those that keep somebody out now. */
  list(wanted: Wanted): Promise<{ items: Lockout[]; total: number }>;
  /** Somebody did something wrong: what they are kept out by now, if they are. */
  strike(strike: Strike): Promise<Lock | undefined>;
  release(id: number, again?: Behalf['again']): Promise<Lockout>;
  /** Bans the address for good. */
  ban(id: number, by: number, asking: Asking): Promise<Ban>;
  /** For whoever holds the machine: how many lockouts ended with it. */
  releaseAddress(address: string): Promise<number>;
  releaseAll(): Promise<number>;
  since(moment: Date): Promise<{ hosts: number; users: number }>;
}

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of'>;
  readonly striking: Striking;
  readonly enforced: Pick<Enforced, 'refresh'>;
  readonly reasons: Pick<Reasons, 'card'>;
  readonly bans: Pick<Bans, 'add' | 'refresh'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly log: Pick<Log, 'error'>;
  /** Whether it was chosen how the client's address is found. */
  isConfigured(): boolean;
  isBanning(): boolean;
  zone(): Promise<Zone>;
  /** Tells whoever wants to hear of lockouts. */
  tell(struck: Struck): Promise<void>;
}

export function createLockouts(needs: Needs): Lockouts {
  const { store, clock, enforced, reasons, bans, isBanning } = needs;
  const struck = createStruck(needs);
  const get = async (id: number): Promise<Lockout> =>
    (await findLockout(store.db, id)) ?? raise(suiteErrors.notFound(`Lockout ${id}`));
  const released = async (only: Parameters<typeof release>[2]): Promise<number> => {
    const many = await store.write((tx, during) => release(tx, during, only, instant(clock())));
    await enforced.refresh();
    return many;
  };
  return {
    get,
    find: (id) => findLockout(store.db, id),
    list: (wanted) => listLockouts(store, wanted, clock()),
    since: (moment) => countedSince(store.db, moment),
    strike: struck,
    async release(id, again) {
      const lockout = await store.write(async (tx, during) => {
        await again?.(tx as never);
        await release(tx, during, { id }, instant(clock()));
        return (await findLockout(tx, id)) ?? raise(suiteErrors.notFound(`Lockout ${id}`));
      });
      await enforced.refresh();
      return lockout;
    },
    async ban(id, by, asking) {
      const { host, type } = await get(id);
      const block = host === null ? undefined : addressOf(host);
      if (!isBanning() || block === undefined) throw suiteErrors.actionForbidden();
      const comment = reasons.card(type)?.reason ?? '';
      return bans.add({ block: subnetOf(block), actor: { type: 'user', id: String(by) }, comment }, asking);
    },
    async releaseAddress(address) {
      const block = addressOf(address);
      return block === undefined ? 0 : released({ host: written(block) });
    },
    releaseAll: () => released('all'),
  };
}

/** What came of it is seen here, written down and told before anybody is answered. */
function createStruck({
  striking,
  enforced,
  bans,
  logs,
  log,
  settings,
  isConfigured,
  zone,
  tell,
}: Needs): Lockouts['strike'] {
  return async (strike) => {
    const struck = isConfigured() ? await striking(strike) : undefined;
    if (struck === undefined) return undefined;
    await enforced.refresh();
    if (struck.banned !== undefined) await bans.refresh();
    for (const entry of entriesOf(struck, await zone(), settings.of('global'))) logs.write(entry);
    const isNews = struck.lockouts.length > 0 || struck.banned !== undefined;
    if (isNews && !struck.isAuthorised)
      await tell(struck).catch((error) =>
        log.error({ err: error }, 'The notification about a lockout could not be sent.'),
      );
    return lockBy(struck);
  };
}

/** Lists show only lockouts that hold now, newest first. */
interface Wanted {
  readonly limit: number;
  readonly offset: number;
  /** Part of an address, of a name nobody has, or of what a user is called. */
  readonly search?: string | undefined;
  /** Whether the search looks at logins and email addresses of accounts. */
  readonly searchPrivate?: boolean;
}

const findLockout = async (db: Db, id: number): Promise<Lockout | undefined> =>
  Number.isSafeInteger(id)
    ? db.selectFrom('secsuite_lockouts').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;

async function listLockouts(
  { db, engine }: Store<LockoutTables>,
  { limit, offset, search = '', searchPrivate = false }: Wanted,
  now: Date,
): Promise<{ items: Lockout[]; total: number }> {
  let active = db.selectFrom('secsuite_lockouts').where('active', '=', 1).where('expire', '>', instant(now));
  const sought = search.trim().slice(0, longest);
  if (sought !== '') active = active.where(matching(engine, sought, searchPrivate));
  const [items, { total }] = await Promise.all([
    active.selectAll().orderBy('start', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    active.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items, total: Number(total) };
}

const longest = 200;
const searchColumns = ['username', 'email', 'slug', 'name'] as const;

function matching(engine: Store<LockoutTables>['engine'], text: string, searchPrivate: boolean) {
  const low = text.toLowerCase();
  const users = found(engine, text, { searchColumns, searchPrivate });
  return sql<SqlBool>`(${contains('host', low)} or ${contains('username', low)}
    or user_id in (select id from users where ${users}))`;
}

/** How many addresses and how many accounts were locked since then; those that met somebody who is always let in do not count. */
async function countedSince(db: Db, since: Date): Promise<{ hosts: number; users: number }> {
  const { hosts, every } = await db
    .selectFrom('secsuite_lockouts')
    .select((all) => [all.fn.count<number>('host').as('hosts'), all.fn.countAll<number>().as('every')])
    .where('start', '>', instant(since))
    .whereRef('expire', '>=', 'start')
    .executeTakeFirstOrThrow();
  return { hosts: Number(hosts), users: Number(every) - Number(hosts) };
}
