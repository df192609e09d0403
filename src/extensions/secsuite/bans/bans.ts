// The noun: who is kept out for good, by whom and why. No word of HTTP here.
import { setImmediate as breath } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { raise } from '#kernel/problem.ts';
import { minute, second } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { addressOf, type Block, covers, isRange, written } from '../addresses/block.ts';
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { ImportRun } from '../transfer.ts';
import { type Enforced, keyOf } from './enforced.ts';
import { readLines } from './forms.ts';
import { type BanPage, coveringBan, coveringBans, findBan, listBans, newestBans, type Wanted } from './listing.ts';
import type { Ban, BanTables } from './tables.ts';

/** Who banned: a user by number, or a reason for lockouts by name. */
export interface Actor {
  readonly type: 'user' | 'lockout_module';
  readonly id: string;
}

export interface NewBan {
  readonly block: Block;
  readonly actor: Actor | null;
  readonly comment: string;
  /** Now, without it. */
  readonly createdAt?: Date;
}

type Again = Behalf['again'];

/** Who asks for a ban, which must not keep out themselves. */
export interface Asking extends Partial<Pick<Behalf, 'again'>> {
  /** The address they ask from. */
  readonly self: string;
}

export interface Bans {
  find(id: number): Promise<Ban | undefined>;
  get(id: number): Promise<Ban>;
  list(wanted: Wanted): Promise<BanPage>;
  /** The narrowest that covers all of the block, as it is kept now. */
  covering(block: Block): Promise<Ban | undefined>;
  /** All that do, the narrowest first. */
  allCovering(block: Block): Promise<Ban[]>;
  newest(many: number): Promise<Ban[]>;
  count(): Promise<number>;
  add(ban: NewBan, asking?: Asking): Promise<Ban>;
  /** The numbers of those that are new. What is there already, is always let in, or would keep out who asks, is left out. */
  addMany(lines: readonly string[], actor: Actor, asking: Asking): Promise<number[]>;
  /** Within a write of somebody else, who has `refresh` called once it stands. Nothing, where it is banned already. */
  addWithin(tx: Transaction<BanTables>, during: Pick<During, 'lock'>, ban: NewBan): Promise<Ban | undefined>;
  /** Adds these within a write under way, as `addMany` does; the caller has `refresh` called once that stands. */
  importWithin(
    writing: Pick<ImportRun, 'tx' | 'during' | 'self'>,
    bans: readonly NewBan[],
  ): Promise<{ refused: number; duplicates: number }>;
  /** All of them, the newest first. */
  all(): Promise<Ban[]>;
  /** Has this process enforce what was written. */
  refresh(): Promise<void>;
  change(id: number, comment: string | undefined, again?: Again): Promise<Ban>;
  remove(id: number, again?: Again): Promise<void>;
}

interface BanNounDeps {
  readonly store: Store<BanTables>;
  readonly clock: Clock;
  readonly enforced: Pick<Enforced, 'refresh'>;
  /** Whether some address of the block is always let in. */
  isAuthorised(block: Block): boolean;
}

/** So many bans are written by one statement. */
const atOnce = 500;
/** So many that were lifted are remembered for processes that have not heard of it. */
const remembered = 10_000;

type Insert = (tx: Transaction<BanTables>, bans: readonly NewBan[]) => Promise<Ban[]>;

/** Leaves out those that are there already. */
const inserting =
  (clock: Clock): Insert =>
  (tx, bans) =>
    tx
      .insertInto('secsuite_bans')
      .values(bans.map((ban) => rowOf(ban, ban.createdAt ?? clock())))
      .onConflict((conflict) => conflict.column('host').doNothing())
      .returningAll()
      .execute();

const rowOf = ({ block, actor, comment }: NewBan, now: Date) => ({
  host: written(block),
  key: keyOf(block),
  type: isRange(block) ? ('range' as const) : ('ip' as const),
  created_at: new Date(Math.floor(now.getTime() / second) * second).toISOString(),
  actor_type: actor?.type ?? null,
  actor_id: actor?.id ?? null,
  comment,
});

/** A group at a time, with a turn for others between; answers the numbers of the new bans. */
async function insertAll(insert: Insert, tx: Transaction<BanTables>, bans: readonly NewBan[]): Promise<number[]> {
  const added: number[] = [];
  for (let at = 0; at < bans.length; at += atOnce) {
    if (at > 0) await breath();
    added.push(...(await insert(tx, bans.slice(at, at + atOnce))).map(({ id }) => id));
  }
  return added.toSorted((one, other) => one - other);
}

export function createBans({ store, clock, enforced, isAuthorised }: BanNounDeps): Bans {
  const insert = inserting(clock);
  const addWithin: Bans['addWithin'] = async (tx, { lock }, ban) => {
    await lock(order);
    return (await insert(tx, [ban]))[0];
  };
  return {
    find: (id) => findBan(store.db, id),
    get: async (id) => (await findBan(store.db, id)) ?? raise(suiteErrors.banNotFound(id)),
    list: (wanted) => listBans(store.db, wanted),
    covering: (block) => coveringBan(store.db, block),
    allCovering: (block) => coveringBans(store.db, block),
    newest: (many) => newestBans(store.db, many),
    count: () => countBans(store.db),
    all: () => store.db.selectFrom('secsuite_bans').selectAll().orderBy('id', 'desc').execute(),
    add: async (ban, asking) => {
      if (asking !== undefined && keepsOut(ban.block, asking.self)) throw suiteErrors.cannotBanSelf();
      if (isAuthorised(ban.block)) throw suiteErrors.cannotBanAuthorizedHost();
      const added = await store.write(async (tx, during) => {
        await asking?.again?.(tx);
        return (await addWithin(tx, during, ban)) ?? raise(suiteErrors.duplicateBan());
      });
      await enforced.refresh();
      return added;
    },
    addMany: async (lines, actor, { self, again }) => {
      const bans = readLines(lines)
        .filter(({ block }) => !keepsOut(block, self) && !isAuthorised(block))
        .map(({ block, note }) => ({ block, actor, comment: note }));
      const ids = await store.write(
        async (tx, { lock }) => {
          await again?.(tx);
          await lock(order);
          return insertAll(insert, tx, bans);
        },
        { limit: minute },
      );
      await enforced.refresh();
      return ids;
    },
    addWithin,
    importWithin: importing(insert, isAuthorised),
    refresh: enforced.refresh,
    change: (id, comment, again) =>
      store.write(async (tx) => {
        await again?.(tx);
        if (comment !== undefined)
          await tx.updateTable('secsuite_bans').set({ comment }).where('id', '=', id).execute();
        return (await findBan(tx, id)) ?? raise(suiteErrors.banNotFound(id));
      }),
    remove: async (id, again) => {
      await store.write(async (tx, { lock }) => {
        await again?.(tx);
        await lock(order);
        const gone = await tx.deleteFrom('secsuite_bans').where('id', '=', id).returning('key').executeTakeFirst();
        await lift(tx, id, gone?.key ?? raise(suiteErrors.banNotFound(id)));
      });
      await enforced.refresh();
    },
  };
}

const importing =
  (insert: Insert, isAuthorised: BanNounDeps['isAuthorised']): Bans['importWithin'] =>
  async ({ tx, during, self }, bans) => {
    await during.lock(order);
    const allowed = bans.filter(({ block }) => !keepsOut(block, self) && !isAuthorised(block));
    const added = await insertAll(insert, tx, allowed);
    return { refused: bans.length - allowed.length, duplicates: allowed.length - added.length };
  };

async function countBans(db: Store<BanTables>['db']): Promise<number> {
  const counted = db.selectFrom('secsuite_bans').select((of) => of.fn.countAll<number>().as('all'));
  return (await counted.executeTakeFirstOrThrow()).all;
}

/** Bans are made and lifted one after the other: whoever follows knows by the numbers what is new. */
const order = 'secsuite.bans';

async function lift(tx: Transaction<BanTables>, ban: number, key: string): Promise<void> {
  const lifted = tx.insertInto('secsuite_bans_lifted').values({ ban, key }).returning('id');
  const { id } = await lifted.executeTakeFirstOrThrow();
  await tx
    .deleteFrom('secsuite_bans_lifted')
    .where('id', '<=', id - remembered)
    .execute();
}

/** A ban of everybody keeps out whoever makes it, however they come the next time. */
function keepsOut(block: Block, self: string): boolean {
  const address = addressOf(self);
  return block.bits === 0 || (address !== undefined && covers(block, address));
}
