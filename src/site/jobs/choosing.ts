// Which of the jobs that are due are next. However many wait, few rows are looked at.
import { sql, type Transaction } from 'kysely';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { isAlone, isFree, isRunning, type JobTables } from './tables.ts';

type Tx = Transaction<JobTables>;

/** Kinds that share a number of places, and how many of these are free. */
export interface Room {
  readonly kinds: readonly string[];
  readonly places: number;
}

export interface Looking {
  readonly engine: Store<unknown>['engine'];
  readonly now: Date;
  /** When the first of each kind was due, a moment ago. */
  readonly first: Firsts;
  /** Only this one. */
  readonly id?: string | undefined;
}

interface Found {
  readonly number: number;
  readonly alone: string | null;
  readonly run_at: string;
}

/** Of each room the first that are due. Of those that must be alone, another process may take one meanwhile. */
export async function chosenOf(tx: Tx, rooms: readonly Room[], claim: Looking): Promise<Found[]> {
  const groups = await runningGroups(tx, rooms, claim);
  const chosen: Found[] = [];
  for (const room of rooms) {
    const found: Found[] = [];
    for (const kind of room.kinds) {
      const { free, alone } = firstOf(kind, claim);
      if (isDue(free, claim.now)) found.push(...(await freeOnes(tx, kind, room.places, claim)));
      if (isDue(alone, claim.now)) found.push(...(await aloneOnes(tx, kind, room.places, claim, groups)));
    }
    const first = onlyOneEach(found.sort(byTurn), new Set(groups)).slice(0, room.places);
    for (const { alone } of first) if (alone !== null) groups.add(alone);
    chosen.push(...first);
  }
  return chosen;
}

const byTurn = (one: Found, other: Found): number =>
  one.run_at === other.run_at ? one.number - other.number : one.run_at < other.run_at ? -1 : 1;

const firstOf = (kind: string, { first }: Looking) => first.get(kind) ?? {};

/** What must be alone and runs, if anybody asks; there are never more than all processes have places. */
async function runningGroups(tx: Tx, rooms: readonly Room[], claim: Looking): Promise<Set<string>> {
  if (!rooms.some(({ kinds }) => kinds.some((kind) => isDue(firstOf(kind, claim).alone, claim.now)))) return new Set();
  const rows = await tx.selectFrom('jobs').select('alone').where(isRunning).where('alone', 'is not', null).execute();
  return new Set(rows.map(({ alone }) => alone as string));
}

const dueOnes = (tx: Tx, kind: string, { now, id }: Looking) =>
  tx
    .selectFrom('jobs')
    .select(['number', 'alone', 'run_at'])
    .where('kind', '=', kind)
    .where('run_at', '<=', instant(now))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string));

const freeOnes = (tx: Tx, kind: string, places: number, claim: Looking): Promise<Found[]> =>
  dueOnes(tx, kind, claim)
    .where(isFree)
    .orderBy('run_at')
    .orderBy('number')
    .limit(places)
    // SQLite has one writer: nobody else is looking for work in this moment.
    .$if(claim.engine === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute();

/** So many are looked at in the order in which they are due, before they are looked for group by group. */
const looked = 500;

async function aloneOnes(tx: Tx, kind: string, places: number, claim: Looking, running: ReadonlySet<string>) {
  const head = await dueOnes(tx, kind, claim)
    .where(isAlone)
    .orderBy('run_at')
    .orderBy('number')
    .limit(looked)
    .execute();
  const groups = new Set(running);
  const found = onlyOneEach(head, groups).slice(0, places);
  if (head.length === looked && found.length < places)
    found.push(...(await byGroup(tx, kind, places - found.length, claim, groups)));
  return found;
}

/** The first of each group that nothing of runs or is found yet. The order is that of the groups: fair enough behind so many. */
async function byGroup(
  tx: Tx,
  kind: string,
  places: number,
  claim: Looking,
  not: ReadonlySet<string>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let group: string | undefined; found.length < places; ) {
    const next = await firstAfter(tx, kind, claim, group);
    if (next?.alone == null) break;
    group = next.alone;
    if (!not.has(group)) found.push(next);
  }
  return found;
}

const firstAfter = (tx: Tx, kind: string, claim: Looking, group: string | undefined): Promise<Found | undefined> =>
  dueOnes(tx, kind, claim)
    .where(isAlone)
    .$if(group !== undefined, (query) => query.where('alone', '>', group as string))
    .orderBy('alone')
    .orderBy('run_at')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();

/** Those of no group, and the first of each group but these; which are added to them. */
function onlyOneEach(found: readonly Found[], groups: Set<string>): Found[] {
  return found.filter(({ alone }) => {
    if (alone === null) return true;
    const isFirst = !groups.has(alone);
    groups.add(alone);
    return isFirst;
  });
}

/** When the first job of a kind is due: of those that may run beside any other, and of those that must be alone. */
interface First {
  readonly free?: Date | undefined;
  readonly alone?: Date | undefined;
}

export type Firsts = ReadonlyMap<string, First>;

export const isDue = (first: Date | undefined, now: Date): boolean => first !== undefined && first <= now;

export const momentsOf = (firsts: Firsts): Date[] =>
  [...firsts.values()].flatMap(({ free, alone }) => [free, alone].filter((at) => at !== undefined));

/** Two looks into an index for each kind. */
export async function firstDue({ db }: Store<JobTables>, kinds: readonly string[]): Promise<Firsts> {
  if (kinds.length === 0) return new Map();
  const listed = sql<{ column1: string }>`(values ${sql.join(kinds.map((kind) => sql`(${kind})`))})`.as('listed');
  const rows = await db
    .selectFrom(listed)
    .select((of) => {
      const first = (which: typeof isFree) =>
        of
          .selectFrom('jobs')
          .select('run_at')
          .where(which)
          .whereRef('kind', '=', 'listed.column1')
          .orderBy('run_at')
          .limit(1);
      return ['column1 as kind', first(isFree).as('free'), first(isAlone).as('alone')];
    })
    .execute();
  const at = (text: string | null): Date | undefined => (text === null ? undefined : new Date(text));
  return new Map(rows.map(({ kind, free, alone }) => [kind, { free: at(free), alone: at(alone) }]));
}
