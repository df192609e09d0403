// Who is locked out just now, as every request asks for it: in memory, a second behind other processes at most. Each ends by itself.
import { minute } from '#lib/spans.ts';
import { createFollower, inBatches, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { subnetIn } from '../addresses/block.ts';
import { foldedName, type Lockout } from './lockout.ts';
import { markOf } from './rows.ts';
import type { LockoutTables } from './tables.ts';

export interface Enforced extends Pick<Snapshot<unknown>, 'isReady' | 'ready' | 'refresh'> {
  /** How many are kept in mind; some of them may have ended. */
  readonly size: number;
  host(address: string): boolean;
  user(id: number): boolean;
  username(name: string): boolean;
  /** Whether they came by a link lately, from there or from the same IPv6 network. */
  isSpared(user: number, address: string): boolean;
}

interface Needs {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

interface Known {
  /** All changes up to this one. */
  change: number;
  swept: number;
  readonly hosts: Locked<string>;
  readonly users: Locked<number>;
  readonly names: Locked<string>;
  spared: ReadonlyMap<string, number>;
}

export function createEnforced({ store, clock, failed, stopping }: Needs): Enforced {
  const follower = createFollower({
    store,
    tables: ['secsuite_lockouts', 'secsuite_lockouts_spared'],
    async all(): Promise<Known> {
      const change = await markOf(store.db, 'change');
      return { ...(await fresh(store, clock())), change, spared: await spared(store, clock()) };
    },
    async catchUp(known) {
      // A backup that was put back knows less.
      if ((await markOf(store.db, 'change')) < known.change) return false;
      await follow(store, known, clock());
      known.spared = await spared(store, clock());
      return true;
    },
    failed,
    stopping,
  });
  const isIn = <K>(locked: Locked<K>, key: K): boolean => locked.size > 0 && locked.has(key, clock);
  return {
    get isReady() {
      return follower.isReady;
    },
    ready: follower.ready,
    refresh: follower.refresh,
    get size() {
      const { hosts, users, names } = follower.now;
      return hosts.size + users.size + names.size;
    },
    host: (address) => follower.now.hosts.size > 0 && isIn(follower.now.hosts, subnetIn(address)),
    user: (id) => isIn(follower.now.users, id),
    username: (name) => follower.now.names.size > 0 && isIn(follower.now.names, foldedName(name)),
    isSpared: (user, address) => {
      const { spared } = follower.now;
      return spared.size > 0 && (spared.get(`${user} ${subnetIn(address)}`) ?? 0) > clock().getTime();
    },
  };
}

/** A lockout that ends then, and others of whoever it meets: seldom there is a second one, and there may be a million first ones. */
interface Ending {
  readonly id: number;
  readonly end: number;
  readonly also: Ending | undefined;
}

/** By whom it meets, when each of their lockouts ends. */
class Locked<K> {
  readonly #endings = new Map<K, Ending>();

  get size(): number {
    return this.#endings.size;
  }

  has(key: K, clock: Clock): boolean {
    const first = this.#endings.get(key);
    return first !== undefined && lasts(first, clock().getTime());
  }

  put(key: K, id: number, end: number): void {
    this.#endings.set(key, { id, end, also: without(this.#endings.get(key), id) });
  }

  take(key: K, id: number): void {
    const rest = without(this.#endings.get(key), id);
    if (rest === undefined) this.#endings.delete(key);
    else this.#endings.set(key, rest);
  }

  sweep(now: number): void {
    for (const [key, first] of this.#endings) if (!lasts(first, now)) this.#endings.delete(key);
  }
}

const lasts = ({ end, also }: Ending, now: number): boolean => end > now || (also !== undefined && lasts(also, now));

function without(one: Ending | undefined, id: number): Ending | undefined {
  if (one === undefined || one.id === id) return one?.also;
  const also = without(one.also, id);
  return also === one.also ? one : { ...one, also };
}

const nothing = () => ({
  swept: 0,
  hosts: new Locked<string>(),
  users: new Locked<number>(),
  names: new Locked<string>(),
  spared: new Map<string, number>(),
});

const columns = ['id', 'subnet', 'user_id', 'username', 'expire', 'active', 'change'] as const;
type Row = Pick<Lockout, (typeof columns)[number]>;
/** So many are read at once; between two readings others have their turn. */
const many = 1_000;

async function fresh({ db }: Store<LockoutTables>, now: Date) {
  const known = nothing();
  let last = 0;
  const lasting = () =>
    db
      .selectFrom('secsuite_lockouts')
      .select(columns)
      .where('expire', '>', instant(now))
      .where('active', '=', 1)
      .where('id', '>', last)
      .orderBy('id')
      .limit(many)
      .execute();
  await inBatches(many, lasting, (rows) => {
    for (const row of rows) note(known, row, now.getTime());
    last = rows.at(-1)?.id ?? last;
    return true;
  });
  return known;
}

async function follow({ db }: Store<LockoutTables>, known: Known, now: Date): Promise<void> {
  const news = db.selectFrom('secsuite_lockouts').select(columns).where('change', '>', known.change);
  for (const row of await news.orderBy('change').execute()) {
    note(known, row, now.getTime());
    known.change = row.change;
  }
  if (now.getTime() - known.swept < minute) return;
  known.swept = now.getTime();
  for (const locked of [known.hosts, known.users, known.names]) locked.sweep(known.swept);
}

function note(
  known: Pick<Known, 'hosts' | 'users' | 'names'>,
  { id, subnet, user_id, username, expire, active }: Row,
  now: number,
): void {
  const end = Date.parse(expire);
  const told = <K>(locked: Locked<K>, key: K): void =>
    active === 1 && end > now ? locked.put(key, id, end) : locked.take(key, id);
  if (subnet !== null) told(known.hosts, subnet);
  if (user_id !== null) told(known.users, user_id);
  if (username !== null) told(known.names, username);
}

async function spared({ db }: Store<LockoutTables>, now: Date): Promise<Map<string, number>> {
  const rows = await db.selectFrom('secsuite_lockouts_spared').selectAll().where('until', '>', instant(now)).execute();
  return new Map(rows.map(({ user_id, address, until }) => [`${user_id} ${address}`, Date.parse(until)]));
}
