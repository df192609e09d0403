// The bans as every request asks for them: all of them in memory, a second behind other processes at most. They are read once, in the
// order in which they stand there; from then on only what came and what was lifted since.
import { setImmediate as breath } from 'node:timers/promises';
import { sql } from 'kysely';
import { createFollower, inBatches } from '#site/platform/cache/snapshot.ts';
import type { Store } from '#store/store.ts';
import { addressOf, type Block } from '../addresses/block.ts';
import { type Covering, createCovering } from './covering.ts';
import type { BanTables } from './tables.ts';

/** Blocks as text that sorts as they do: by family, by first address, and of those that begin together the widest first. */
const hex = (word: number, digits: number): string => word.toString(16).padStart(digits, '0');

export const keyOf = ({ family, words, bits }: Block): string =>
  `${family}${words.map((word) => hex(word, 8)).join('')}${hex(bits, 2)}`;

/** What `keyOf` wrote. A million of them are read when a site starts. */
function blockOf(key: string): Block {
  const words =
    key.length === 11 ? [wordAt(key, 1)] : [wordAt(key, 1), wordAt(key, 9), wordAt(key, 17), wordAt(key, 25)];
  const end = key.length - 2;
  return {
    family: words.length === 1 ? 4 : 6,
    words,
    bits: (digit(key.charCodeAt(end)) << 4) | digit(key.charCodeAt(end + 1)),
  };
}

function wordAt(key: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) word = (word << 4) | digit(key.charCodeAt(at));
  return word >>> 0;
}

const digit = (sign: number): number => (sign < 58 ? sign - 48 : sign - 87);

export interface Enforced {
  /** Until then the site answers nobody: it does not know whom it keeps out. */
  readonly isReady: boolean;
  readonly ready: Promise<void>;
  readonly size: number;
  /** The number of the narrowest ban that covers the address. */
  over(address: string): number | undefined;
  /** Reads what came and went since: for whoever wrote. */
  refresh(): Promise<void>;
}

interface Needs {
  readonly store: Store<BanTables>;
  /** They could not be read; those known before stay. */
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

/** All bans up to these numbers. */
interface Known {
  readonly covering: Covering;
  ban: number;
  lifting: number;
}

export function createEnforced({ store, failed, stopping }: Needs): Enforced {
  const follower = createFollower({
    store,
    tables: ['secsuite_bans'],
    all: () => all(store),
    catchUp: async (known) => !(await isPutBack(store, known)) && caughtUp(store, known),
    failed,
    stopping,
  });
  return {
    get isReady() {
      return follower.isReady;
    },
    ready: follower.ready,
    get size() {
      return follower.now.covering.size;
    },
    over: (address) => {
      const block = addressOf(address);
      return block && follower.now.covering.find(block);
    },
    refresh: follower.refresh,
  };
}

/** So many rows are read at once; between two readings others have their turn. */
const many = 4_000;

/** Those there are. What comes and goes while they are read is heard of like any other change. */
async function all(store: Store<BanTables>): Promise<Known> {
  const known = { covering: createCovering(), ban: await lastBan(store), lifting: await lastLifting(store) };
  for (let reading = behind(store, ''); ; ) {
    const { last, bans } = await reading;
    if (last !== null) reading = behind(store, last);
    reading.catch(() => {}); // told where it is waited for
    await breath(); // the question goes out, and the database looks while these are put in their places
    for (const ban of bans?.split(',') ?? []) {
      const [key = '', id] = ban.split(' ');
      known.covering.put(blockOf(key), Number(id));
    }
    if (last === null) return known;
  }
}

/** Some bans as one text: a million rows would leave more memory behind than all that is kept of them. */
function behind({ db }: Store<BanTables>, key: string): Promise<{ last: string | null; bans: string | null }> {
  const some = db.selectFrom('secsuite_bans').select(['id', 'key']).where('key', '>', key).orderBy('key').limit(many);
  return db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.max<string | null>('key').as('last'))
    .select(sql<string | null>`string_agg(key || ' ' || cast(id as text), ',')`.as('bans'))
    .executeTakeFirstOrThrow();
}

/** Whether the database is as it was earlier: the last that was heard of never happened there. */
async function isPutBack(store: Store<BanTables>, { ban, lifting }: Known): Promise<boolean> {
  if ((await lastLifting(store)) < lifting) return true;
  const { db } = store;
  const there = db.selectFrom('secsuite_bans').select('id').where('id', '=', ban);
  if (ban === 0 || (await there.executeTakeFirst()) !== undefined) return false;
  const lifted = db.selectFrom('secsuite_bans_lifted').select('id').where('ban', '=', ban);
  return (await lifted.limit(1).executeTakeFirst()) === undefined;
}

/** Whether what came and went since could be told. Bans are made and lifted one after the other, so none has a number of before. */
async function caughtUp({ db }: Store<BanTables>, known: Known): Promise<boolean> {
  const made = () =>
    db
      .selectFrom('secsuite_bans')
      .select(['id', 'key'])
      .where('id', '>', known.ban)
      .orderBy('id')
      .limit(many)
      .execute();
  await inBatches(many, made, (rows) => {
    for (const row of rows) known.covering.put(blockOf(row.key), row.id);
    known.ban = rows.at(-1)?.id ?? known.ban;
    return true;
  });
  const lifted = () =>
    db
      .selectFrom('secsuite_bans_lifted')
      .select(['id', 'ban', 'key'])
      .where('id', '>', known.lifting)
      .orderBy('id')
      .limit(many)
      .execute();
  return inBatches(many, lifted, (rows) => {
    // Those in between were forgotten before they were heard of.
    if (rows.length > 0 && rows[0]!.id > known.lifting + 1) return false;
    for (const row of rows) known.covering.take(blockOf(row.key), row.ban);
    known.lifting = rows.at(-1)?.id ?? known.lifting;
    return true;
  });
}

const lastBan = async ({ db }: Store<BanTables>): Promise<number> => {
  const row = await db
    .selectFrom('secsuite_bans')
    .select((of) => of.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
};

const lastLifting = async ({ db }: Store<BanTables>): Promise<number> => {
  const row = await db
    .selectFrom('secsuite_bans_lifted')
    .select((of) => of.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
};
